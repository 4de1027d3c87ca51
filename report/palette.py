"""The colours of Okabe and Ito (2008), which people who see colours differently can tell apart."""

GREEN = "#009E73"
SKY = "#56B4E9"
BLUE = "#0072B2"
VERMILION = "#D55E00"
ORANGE = "#E69F00"
PURPLE = "#CC79A7"
# Not of theirs: for what was not measured.
GREY = "#999999"
