"""The CPU endpoint: health, info, text statistics, and a report that calls the GPU endpoint."""

from toolkit_sdk import Endpoint

VERSION = "1.0.0"

api = Endpoint(name="text-api", cpu="cpu3c-1-2", workers=(0, 3), idle_timeout=300)


@api.get("/health")
def health() -> dict:
    """Report that the service is up."""
    return {"status": "healthy", "service": "text-api", "version": VERSION}


@api.get("/info")
def info() -> dict:
    """List the routes of this application."""
    routes = [
        ("GET", "/health", "Report that the service is up."),
        ("GET", "/info", "List the routes of this application."),
        ("POST", "/analyze", "Count words, characters and sentences of a text."),
        ("POST", "/report", "Return the statistics and sentiment of a text."),
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
    """Return the statistics and sentiment of a text."""
    # Imported inside the body, the other endpoint's function becomes an HTTP call to that endpoint.
    from sentiment_api import sentiment

    scored = sentiment(text)
    statistics = analyze(text)["statistics"]
    return {"text": text, "statistics": statistics, "sentiment": scored["sentiment"], "device": scored["device"]}
