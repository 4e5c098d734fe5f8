"""What eyes make of colours: contrast, and colours as people with dichromacy see them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

type Colour = NDArray[np.float64]

# Machado, Oliveira & Fernandes, "A physiologically-based model for simulation of color vision
# deficiency", IEEE TVCG 15 (2009), severity 1.0, on linear RGB.
DEFICIENCIES = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
# Ottosson, "A perceptual color space for image processing" (2020).
_TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
_TO_LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def linear(colour: str) -> Colour:
    """Linear RGB of #rrggbb, each 0 to 1."""
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, two: str) -> float:
    """Contrast ratio as WCAG 2.2 defines it, 1 to 21."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    dark, light = sorted(float(linear(colour) @ weights) for colour in (one, two))
    return (light + 0.05) / (dark + 0.05)


def seen(colour: str, deficiency: str) -> Colour:
    """Linear RGB as it looks with that deficiency."""
    return np.clip(np.array(DEFICIENCIES[deficiency]) @ linear(colour), 0, 1)


def difference(one: Colour, two: Colour) -> float:
    """Distance of two linear RGB colours in OKLab, 0 to about 1."""
    lab = [np.array(_TO_LAB) @ np.cbrt(np.array(_TO_CONES) @ each) for each in (one, two)]
    return float(np.linalg.norm(lab[0] - lab[1]))
