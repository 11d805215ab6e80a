"""What the shop needs to know. It comes from the environment: keys belong in no file that is committed, except those
of the sandbox."""

import os


def required(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise SystemExit(f'{name} is not set; .env.development shows all that are needed')
    return value


MALIPO_URL = required('MALIPO_URL').rstrip('/')
PUBLIC_KEY = required('MALIPO_PUBLIC_KEY')
SECRET_KEY = required('MALIPO_SECRET_KEY')
SIGNING_KEY = required('MALIPO_SIGNING_KEY')
WEBHOOK_SECRET = required('MALIPO_WEBHOOK_SECRET')
ORDERS_FILE = os.environ.get('SHOP_ORDERS_FILE', 'orders.sqlite')
# Opens /dev/effects, for `malipo-dev check`. Never in earnest: it lets anybody make orders.
IS_DEVELOPMENT = os.environ.get('SHOP_DEVELOPMENT') == '1'
OWN_URL = f"http://127.0.0.1:{os.environ.get('PORT', '3000')}"
SHOP_URL = (os.environ.get('SHOP_URL') or OWN_URL) if IS_DEVELOPMENT else required('SHOP_URL').rstrip('/')
