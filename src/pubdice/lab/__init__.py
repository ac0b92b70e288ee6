"""The lab: exact tables of one policy against another, and the page of strategy made from them."""
