"""Control of every search: limits, stopping, results, constants."""
