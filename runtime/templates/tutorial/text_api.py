"""The CPU endpoint: health, info, text statistics, and a report that asks the GPU endpoint."""

from toolkit_sdk import Endpoint

VERSION = "1.0.0"

api = Endpoint(name="text-api", cpu="cpu3c-1-2", workers=(0, 3), idle_timeout=300)


@api.get("/health")
def health() -> dict:
    """Say that the service is up."""
    return {"status": "healthy", "service": "text-api", "version": VERSION}


@api.get("/info")
def info() -> dict:
    """List what this application offers."""
    routes = [
        ("GET", "/health", "Say that the service is up."),
        ("GET", "/info", "List what this application offers."),
        ("POST", "/analyze", "Count words, characters and sentences of a text."),
        ("POST", "/report", "Statistics and sentiment of a text in one answer."),
        ("POST", "/sentiment", "Score the sentiment of a text (GPU endpoint)."),
    ]
    endpoints = [{"method": method, "path": path, "description": text} for method, path, text in routes]
    return {"name": "Text analysis", "version": VERSION, "endpoints": endpoints}


@api.post("/analyze")
def analyze(text: str) -> dict:
    """Count words, characters and sentences of a text."""
    words = text.split()
    average = round(sum(len(word) for word in words) / len(words), 2) if words else 0
    return {
        "text": text,
        "statistics": {
            "word_count": len(words),
            "character_count": len(text),
            "average_word_length": average,
            "sentence_count": sum(text.count(mark) for mark in ".!?"),
        },
    }


@api.post("/report")
def report(text: str) -> dict:
    """Statistics and sentiment of a text in one answer."""
    # Imported inside the body, the other endpoint's function is a call over HTTP to where it runs.
    from sentiment_api import sentiment

    scored = sentiment(text)
    statistics = analyze(text)["statistics"]
    return {"text": text, "statistics": statistics, "sentiment": scored["sentiment"], "device": scored["device"]}
