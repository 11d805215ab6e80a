"""The whole shop: checkout, callbacks, handshake, and the page that customers come back to."""

import json
import re
import urllib.parse
import uuid
from html import escape

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse

from . import malipo, orders, settings
from .signatures import is_genuine, is_genuine_redirect

# What is sold. The price is here, and never in the form that customers send.
NAME, AMOUNT, CURRENCY = 'Bugisu coffee, 250 g', 20_000, 'UGX'
# A callback has less than 10 kB.
BODY_BYTES_MAX = 64 * 1024
SAFE = {'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action *"}

app = FastAPI(openapi_url=None)


async def body_of(request: Request) -> bytes | None:
    """The bytes as they came; None when there are more than a callback has."""
    body = b''
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES_MAX:
            return None
    return body


@app.post('/callbacks')
async def callbacks(request: Request) -> Response:
    """Receives callbacks. Any 2xx acknowledges; a message that does not verify gets 400 and has no effect."""
    if request.headers.get('content-type', '').split(';')[0].strip() != 'application/json':
        return Response(status_code=415)
    body = await body_of(request)
    if body is None:
        return Response(status_code=413, headers={'connection': 'close'})
    if not is_genuine(request.headers, body):
        return Response(status_code=400)
    # What fails from here on answers 500: Malipo sends it again.
    book(json.loads(body))
    return Response(status_code=204)


def book(message: dict) -> None:
    # What is newer than this shop is acknowledged, and is not paid.
    if message['event'] in ('transaction.completed', 'transaction.failed'):
        orders.settle(message['payload'])


@app.get('/handshake')
async def handshake(request: Request) -> Response:
    """Malipo asks before money leaves the wallet: 200 only for a payout that is in our own records."""
    reference = request.query_params.get('reference', '')
    if not is_genuine(request.headers, b'') or not re.fullmatch('[A-Za-z0-9._~-]{8,36}', reference):
        return Response(status_code=400)
    return Response(status_code=200 if orders.knows_payout(reference) else 404)


@app.post('/handshake')
async def batch_handshake(request: Request) -> Response:
    """One handshake for a whole batch: the signature covers its reference and the number of its payouts."""
    body = await body_of(request)
    if body is None or not is_genuine(request.headers, body):
        return Response(status_code=400)
    batch = json.loads(body)['payload']
    return Response(status_code=200 if orders.knows_batch(batch['batch_reference'], batch['payouts']) else 404)


@app.get('/paid')
async def paid(request: Request) -> HTMLResponse:
    """Where customers come back to. It shows what our own records say, never what the address says."""
    query = request.query_params
    order = orders.find(query.get('merchant_reference', '')) if is_genuine_redirect(query) else None
    if order is not None and order['state'] == 'waiting':
        try:
            orders.settle(await malipo.call(f"/data/transaction/verify/{order['reference']}"))
        except malipo.Refused:
            pass  # Not known yet: the callback will report it.
        order = orders.find(order['reference'])
    if order is None:
        return page('There is no such order', status=404)
    reference = escape(order['reference'])
    return {
        'paid': lambda: page('Thank you, your coffee is on its way', f'<p>Order {reference} is paid.'),
        'failed': lambda: page('The payment did not go through', f'<p>Order {reference}: nothing was taken.'),
        'waiting': lambda: page('One moment, please', '<p>We are waiting.<meta http-equiv="refresh" content="3">'),
    }[order['state']]()


@app.get('/')
async def order_page(fault: str = '', status: int = 200) -> HTMLResponse:
    options = ''.join(
        f"<option value=\"{escape(one['provider_code'])}\">{escape(one['provider_name'])}</option>"
        for one in await providers()
    )
    alert = f'<p role="alert">{escape(fault)}</p>' if fault else ''
    form = f'''<p>{CURRENCY} {AMOUNT:,}</p>{alert}<form method="post" action="/checkout">
      <label>Pay with <select name="provider" required>{options}</select></label>
      <label>Phone number <input name="phone" type="tel" required maxlength="20" placeholder="256772000123"></label>
      <button>Pay {CURRENCY} {AMOUNT:,}</button></form>'''
    return page(NAME, form, status)


async def providers() -> list[dict]:
    """Who can be paid with; none when Malipo does not answer."""
    try:
        data = await malipo.call(f'/data/payment-providers?currency={CURRENCY}&transaction_type=COLLECTION')
    except malipo.Refused:
        return []
    return [one for one in data['payment_providers'] if one['transaction_method'] == 'MOBILE_MONEY' and one['is_active']]


async def start_payment(reference: str, amount: int, currency: str, provider: str, phone: str) -> dict:
    # Written down first: a callback may be faster than the answer.
    orders.add(reference, amount, currency)
    collection = {
        'transaction_method': 'MOBILE_MONEY',
        'provider_code': provider,
        'msisdn': phone,
        'merchant_reference': reference,
        'currency': currency,
        'amount': amount,
        'description': 'Bugisu coffee 250 g',
        'mobile_money_hpp': True,
        'redirect_url': f'{settings.SHOP_URL}/paid',
    }
    # One order is one collection, however often it is sent.
    return await malipo.call('/collections/initialize', collection, reference)


async def catch_up() -> None:
    """Books what callbacks told while the shop was away. A timer runs it in earnest."""
    while events := (await malipo.call(f'/data/events?after={orders.last_event()}&limit=100'))['events']:
        for event in events:
            book(json.loads(event['body']))
            orders.remember_event(event['number'])


@app.post('/checkout')
async def checkout(request: Request) -> Response:
    """Makes an order and a collection for it. The customer approves on Malipo's payment page."""
    form = urllib.parse.parse_qs((await body_of(request) or b'').decode(errors='replace'))
    provider, phone = form.get('provider', [''])[0], re.sub(r'[\s()-]', '', form.get('phone', [''])[0])
    try:
        answer = await start_payment(f'SHOP-{uuid.uuid4().hex[:20]}', AMOUNT, CURRENCY, provider, phone)
    except malipo.Refused as refused:
        later = 'Paying is not possible at the moment. Please try again in a minute.'
        return await order_page(str(refused) if refused.status == 400 else later, 422)
    return RedirectResponse(answer['payment_url'], 303)


def page(title: str, body: str = '', status: int = 200) -> HTMLResponse:
    """`body` is markup: whatever comes from outside is escaped before."""
    return HTMLResponse(
        f'<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
        f'<title>{escape(title)}</title><h1>{escape(title)}</h1>{body}<p><a href="/">Back to the shop</a>',
        status,
        SAFE,
    )


if settings.IS_DEVELOPMENT:
    # For `malipo-dev check` and `certify`. In development only: it lets anybody make orders.
    @app.get('/dev/effects')
    async def effects() -> dict[str, int]:
        return orders.fulfilments()

    @app.post('/dev/effects')
    async def announce(request: Request) -> Response:
        order = await request.json()
        if order.get('action') == 'catch_up':
            await catch_up()
        elif order.get('action') == 'start':
            try:
                given = order['merchant_reference'], order['amount'], order['currency']
                await start_payment(*given, 'mtn_ug', '256772000123')
            except malipo.Refused:
                pass  # The order waits: its callback may come all the same.
        elif order['transaction_type'] == 'PAYOUT':
            orders.add_payout(order['merchant_reference'])
        elif order['transaction_type'] == 'BATCH':
            orders.add_batch(order['merchant_reference'], order['payouts'])
        else:
            orders.add(order['merchant_reference'], order['amount'], order['currency'])
        return JSONResponse({}, 201)
