"""The shop's own records, in SQLite: what Malipo says is held against them."""

import sqlite3

from . import settings

TABLES = '''
  create table if not exists orders (
    reference text primary key, amount integer not null, currency text not null,
    state text not null default 'waiting', fulfilments integer not null default 0);
  create table if not exists payouts (reference text primary key, status text not null default 'SENT');
  create table if not exists batches (reference text primary key, payouts integer not null);
  create table if not exists progress (name text primary key, number integer not null);
'''


def connect() -> sqlite3.Connection:
    # Several processes may have the file open: each waits for the other's write.
    database = sqlite3.connect(settings.ORDERS_FILE, timeout=5, isolation_level=None)
    database.row_factory = sqlite3.Row
    database.executescript(TABLES)
    return database


database = connect()


def add(reference: str, amount: int, currency: str) -> None:
    """Keeps an order that is there: a customer may press the button twice."""
    insert = 'insert into orders (reference, amount, currency) values (?, ?, ?) on conflict do nothing'
    database.execute(insert, (reference, amount, currency))


def find(reference: str) -> sqlite3.Row | None:
    return database.execute('select * from orders where reference = ?', (reference,)).fetchone()


def add_payout(reference: str) -> None:
    """Before a payout is sent: the handshake asks whether it is ours."""
    database.execute('insert into payouts (reference) values (?)', (reference,))


def knows_payout(reference: str) -> bool:
    return database.execute('select 1 from payouts where reference = ?', (reference,)).fetchone() is not None


def add_batch(reference: str, payouts: int) -> None:
    """Before a batch is sent, where one handshake asks about all of its payouts."""
    database.execute('insert into batches (reference, payouts) values (?, ?)', (reference, payouts))


def knows_batch(reference: str, payouts: int) -> bool:
    found = database.execute('select 1 from batches where reference = ? and payouts = ?', (reference, payouts))
    return found.fetchone() is not None


def settle(transaction: dict) -> None:
    """Books what Malipo says about a transaction. May be called any number of times, in any order."""
    reference, status = transaction['merchant_reference'], transaction['transaction_status']
    if transaction['transaction_type'] == 'PAYOUT':
        # A payout that was paid stays so: after an older FAILED that comes last, somebody would pay again.
        database.execute(
            "update payouts set status = ? where reference = ? and status <> 'COMPLETED'", (status, reference)
        )
    elif status == 'COMPLETED':
        # One statement looks and writes: of two callbacks at the same moment one finds the order waiting. The amount is
        # compared with our own order: the public key alone can start a collection of any amount under any reference.
        database.execute(
            "update orders set state = 'paid', fulfilments = fulfilments + 1"
            " where reference = ? and amount = ? and currency = ? and state <> 'paid'",
            (reference, transaction['request_amount'], transaction['request_currency']),
        )
    elif status in ('FAILED', 'CANCELLED'):
        # An order that is paid stays so: the older callback can come last.
        database.execute("update orders set state = 'failed' where reference = ? and state = 'waiting'", (reference,))


def last_event() -> int:
    """The number of the last event that was read; 0 at first."""
    row = database.execute("select number from progress where name = 'events'").fetchone()
    return row['number'] if row else 0


def remember_event(number: int) -> None:
    database.execute("insert or replace into progress values ('events', ?)", (number,))


def fulfilments() -> dict[str, int]:
    """How often each order was fulfilled, and 1 for each payout that is booked as paid."""
    rows = database.execute(
        'select reference, fulfilments from orders where fulfilments > 0'
        " union all select reference, 1 from payouts where status = 'COMPLETED'"
    )
    return {row['reference']: row['fulfilments'] for row in rows}
