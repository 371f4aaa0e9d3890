"""Power and energy: activity, fit, estimate, verdict."""
