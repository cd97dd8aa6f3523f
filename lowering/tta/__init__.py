"""Parts of tta-schedule: operations become moves on the buses of a processor."""
