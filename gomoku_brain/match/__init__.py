"""Playing games between brains: records, statistics, referee, tournament."""
