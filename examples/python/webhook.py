"""A webhook for Event Grid, as a WSGI application. Needs PyJWT with cryptography: pip install "pyjwt[crypto]"."""
import collections, json, os, socket, threading, time, traceback
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIServer, make_server
import jwt

TENANT, CLIENT, PORT = (os.environ[f"ORDERS_{name}"] for name in ("TENANT_ID", "CLIENT_ID", "HANDSHAKE_PORT"))
BASE = os.environ.get("ORDERS_AUTHORITY_HOST", "https://login.microsoftonline.com") + "/" + TENANT
EVENT_GRID, ROLE = "4962773b-9cdb-44cf-a8bf-237846a00ab7", "AzureEventGridSecureWebhookSubscriber"
V1, V2 = (jwt.PyJWKClient(f"{BASE}/discovery/{path}") for path in ("keys", "v2.0/keys"))
ISSUERS = {f"https://sts.windows.net/{TENANT}/": V1, f"{BASE}/": V1, f"{BASE}/v2.0": V2}  # the second: a local Azure
asked, handled = {}, collections.deque(maxlen=10_000)  # better: a unique key in your database, written with the work
handling = threading.Lock()  # or two deliveries of an event at the same time would both handle it
socket.setdefaulttimeout(10)

def handle(event):  # an exception makes Event Grid deliver the event again
    print(event.get("type"), event["id"], json.dumps(event.get("data")), flush=True)

def signing_key(issuer, kid):
    keys = {key.key_id: key.key for key in issuer.get_signing_keys()}
    if kid not in keys and time.monotonic() > asked.get(issuer, 0):  # anybody can invent a key
        asked[issuer] = time.monotonic() + 10
        keys = {key.key_id: key.key for key in issuer.get_signing_keys(refresh=True)}
    return keys[kid]

def refusal(token):  # 401 and 403 lose the event: they are for other callers than Event Grid
    try:
        kid, claims = jwt.get_unverified_header(token).get("kid"), jwt.decode(token, options={"verify_signature": False})
        issuer = ISSUERS.get(claims.get("iss"))
        if issuer is None or claims.get("aud") != CLIENT or claims.get("tid") != TENANT:
            return 401
        jwt.decode(token, signing_key(issuer, kid), ["RS256"], {"require": ["exp"]}, audience=CLIENT, leeway=300)
    except (jwt.PyJWKClientError, KeyError, OSError):
        return 503  # the keys cannot be fetched, or do not have this one yet
    except jwt.InvalidTokenError:
        return 401
    if claims.get("azp" if issuer is V2 else "appid") != EVENT_GRID:
        return 403
    return None if ROLE in claims.get("roles", []) else 503  # the role may be newer than the token

def receive(body):
    try:
        events = json.loads(body)
        events = {(e["source"], e["id"]): e for e in (events if isinstance(events, list) else [events])}
    except (ValueError, TypeError, KeyError):
        return 400  # no later attempt can succeed
    with handling:
        for key in [key for key in events if key not in handled]:
            handle(events[key])
            handled.append(key)
    return 200

def status(token, body):
    try:
        return refusal(token) or receive(body)
    except Exception:  # after some, wsgiref would close the connection in silence
        traceback.print_exc()
        return 500  # Event Grid delivers the event again

def application(request, start_response):
    if request["REQUEST_METHOD"] == "OPTIONS":  # the handshake has no token
        start_response("200 OK", [("WebHook-Allowed-Origin", "eventgrid.azure.net"), ("WebHook-Allowed-Rate", "*")])
    else:
        body = request["wsgi.input"].read(min(int(request.get("CONTENT_LENGTH") or 0), 2**21))
        token = request.get("HTTP_AUTHORIZATION", "").removeprefix("Bearer ")
        start_response(f"{status(token, body)} ", [])
    return [b""]

make_server("", int(PORT), application, type("Server", (ThreadingMixIn, WSGIServer), {})).serve_forever()
