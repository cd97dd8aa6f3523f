"""The simulated transport-triggered processor."""
