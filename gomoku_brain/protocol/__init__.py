"""The Gomocup and Yixin protocols: reading commands, answering them."""
