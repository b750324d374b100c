import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['name', 'kind'] },
  fires: [
    [
      'at every site, across files',
      `=== a.py
${SDK}
@Endpoint(name="one")
               ^^^^^ error: name-in-both-forms [in_a]
               > The name "one" is declared as both queue-based and load-balanced, but an endpoint is one or the other.
               > Fix: Give one of them another name.
               > [in_b] "one" is load-balanced here.
def first(): ...
=== b.py
${SDK}
api = Endpoint(name="one")
                    ^^^^^ error: name-in-both-forms [in_b]
                    > The name "one" is declared as both queue-based and load-balanced, but an endpoint is one or the other.
                    > Fix: Give one of them another name.
                    > [in_a] "one" is queue-based here.
@api.get("/a")
def a(): ...
`,
    ],
    [
      'an instance with routes that also decorates a function',
      `=== a.py
${SDK}
api = Endpoint(name="one")
      ^^^^^^^^^^^^^^^^^^^^ [instance]
@api.get("/a")
def a(): ...
@api
def b(): ...
    ^ error: name-in-both-forms
    > This endpoint has routes, so it cannot also decorate a function as a queue-based endpoint.
    > Fix: Declare the queue-based function with its own @Endpoint(...).
    > [instance] The endpoint is declared here.
`,
    ],
    [
      "a queue-based function whose own name is also an instance's name",
      `=== a.py
${SDK}
sentiment = Endpoint(name="sentiment", cpu="cpu5c-4-8")
                          ^^^^^^^^^^^ error: name-in-both-forms [instance]
                          > The name "sentiment" is declared as both queue-based and load-balanced, but an endpoint is one or the other.
                          > Fix: Give one of them another name.
                          > [function] "sentiment" is queue-based here.
@sentiment.post("/analyze")
def analyze(text): ...
=== b.py
${SDK}
@Endpoint(gpu=GpuGroup.ANY)
def sentiment(text): ...
    ^^^^^^^^^ error: name-in-both-forms [function]
    > The name "sentiment" is declared as both queue-based and load-balanced, but an endpoint is one or the other.
    > Fix: Give one of them another name.
    > [instance] "sentiment" is load-balanced here.
`,
    ],
  ],
  silent: [
    [
      'two instances of the same name, whose routes form one endpoint',
      `=== a.py
${SDK}
api = Endpoint(name="one")
@api.get("/a")
def a(): ...
=== b.py
${SDK}
api = Endpoint(name="one")
@api.post("/b")
def b(): ...
`,
    ],
    [
      'an instance that decorates one function and has no routes',
      `=== a.py
${SDK}
one = Endpoint(name="one")
@one
def work(): ...
=== b.py
${SDK}
api = Endpoint(name="two")
@api.get("/a")
def a(): ...
`,
    ],
    [
      'a variable, a route and a function that share only a word with a name',
      `=== a.py
${SDK}
one = Endpoint(name="gateway")
@one.get("/one")
def one_status(): ...
=== b.py
${SDK}
@Endpoint(name="one")
def gateway(): ...
`,
    ],
    [
      'an instance whose name is known only at run time',
      `=== a.py
import os
${SDK}
api = Endpoint(name=os.environ["NAME"])
                    ^^^^^^^^^^^^^^^^^^ hint: dynamic-value
@api.get("/a")
def a(): ...
@Endpoint(name="one")
def one(): ...
`,
    ],
    [
      'an application of another framework with that title',
      `=== a.py
from fastapi import FastAPI
api = FastAPI(title="one")
@api.get("/a")
def a(): ...
=== b.py
${SDK}
@Endpoint(name="one")
def one(): ...
`,
    ],
  ],
};
