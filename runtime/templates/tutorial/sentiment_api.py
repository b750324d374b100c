"""The GPU endpoint: sentiment from the VADER lexicon, summed on a GPU if PyTorch finds one."""

from functools import cache

from toolkit_sdk import Endpoint, GpuGroup

api = Endpoint(
    name="sentiment-api",
    gpu=GpuGroup.ANY,
    workers=(0, 1),
    idle_timeout=300,
    dependencies=["vaderSentiment==3.3.2"],
)


@cache
def analyzer():
    """Load the lexicon once per worker."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()


@cache
def gpu():
    """Return PyTorch if the base image has it and there is a GPU, else None."""
    try:
        import torch
    except ImportError:
        return None
    return torch if torch.cuda.is_available() else None


@api.post("/sentiment")
def sentiment(text: str) -> dict:
    """Score the sentiment of a text (GPU endpoint)."""
    from vaderSentiment.vaderSentiment import SentiText, normalize

    vader = analyzer()
    parsed = SentiText(text)
    words = parsed.words_and_emoticons
    valences: list[float] = []
    for index, word in enumerate(words):
        valences = vader.sentiment_valence(0, parsed, word, index, valences)

    torch = gpu()
    if torch:
        total = torch.tensor([0.0, *valences], dtype=torch.float64, device="cuda").sum().item()
    else:
        total = sum(valences)

    score = round(normalize(total), 4)
    label = "positive" if score >= 0.05 else "negative" if score <= -0.05 else "neutral"
    return {"text": text, "sentiment": {"label": label, "score": score}, "device": "GPU" if torch else "CPU"}
