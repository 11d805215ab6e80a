import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'

/** What a customer wants to buy. The amount is in whole shillings: UGX has no smaller unit. */
export interface Order {
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly state: 'waiting' | 'paid' | 'failed'
}

export type NewOrder = Pick<Order, 'reference' | 'amount' | 'currency'>

// Several processes may have the file open: each waits for the other's write.
const TABLES = `
  pragma busy_timeout = 5000;
  create table if not exists orders (
    reference text primary key, amount integer not null, currency text not null, state text not null default 'waiting', fulfilments integer not null default 0);
  create table if not exists payouts (reference text primary key, status text not null default 'SENT');
  create table if not exists batches (reference text primary key, payouts integer not null);
  create table if not exists progress (name text primary key, number integer not null);
`

/** The shop's own records, against which Malipo's messages are checked. */
export class OrderBook {
  readonly #database: DatabaseSync

  constructor(file: string) {
    this.#database = new DatabaseSync(file)
    this.#database.exec(TABLES)
  }

  /** Keeps an order that is there: a customer may press the button twice. */
  add({ reference, amount, currency }: NewOrder): void {
    this.#database
      .prepare('insert into orders (reference, amount, currency) values (?, ?, ?) on conflict do nothing')
      .run(reference, amount, currency)
  }

  find(reference: string): Order | undefined {
    const row = this.#database
      .prepare('select reference, amount, currency, state from orders where reference = ?')
      .get(reference)
    return row && toOrder(row)
  }

  /**
   * Fulfils an order that was paid in full. One statement checks and writes: of two concurrent callbacks one finds the
   * order waiting, and a paid order stays paid. If another program ships the goods, insert a row for it in the same
   * transaction.
   *
   * @returns whether this call did it
   */
  pay(reference: string, amount: number, currency: string): boolean {
    const { changes } = this.#database
      .prepare(
        `
      update orders set state = 'paid', fulfilments = fulfilments + 1
      where reference = ? and amount = ? and currency = ? and state <> 'paid'`,
      )
      .run(reference, amount, currency)
    return Number(changes) === 1
  }

  /** A paid order stays paid: the older callback can arrive last. */
  fail(reference: string): void {
    this.#database
      .prepare("update orders set state = 'failed' where reference = ? and state = 'waiting'")
      .run(reference)
  }

  /** Stored before a payout is sent: the handshake asks whether it is ours. */
  addPayout(reference: string): void {
    this.#database.prepare('insert into payouts (reference) values (?)').run(reference)
  }

  knowsPayout(reference: string): boolean {
    return this.#database.prepare('select 1 from payouts where reference = ?').get(reference) !== undefined
  }

  /** Stored before a batch of payouts is sent, where one handshake asks about all of them. */
  addBatch(reference: string, payouts: number): void {
    this.#database.prepare('insert into batches (reference, payouts) values (?, ?)').run(reference, payouts)
  }

  knowsBatch(reference: string, payouts: number): boolean {
    const found = this.#database.prepare('select 1 from batches where reference = ? and payouts = ?')
    return found.get(reference, payouts) !== undefined
  }

  /** A paid payout stays paid: if an older FAILED that arrives last replaced it, somebody would pay again. */
  settlePayout(reference: string, status: string): void {
    this.#database
      .prepare("update payouts set status = ? where reference = ? and status <> 'COMPLETED'")
      .run(status, reference)
  }

  /** The number of the last event that was read; 0 at first. */
  get lastEvent(): number {
    return Number(this.#database.prepare("select number from progress where name = 'events'").get()?.number ?? 0)
  }

  rememberEvent(number: number): void {
    this.#database.prepare("insert or replace into progress values ('events', ?)").run(number)
  }

  /**
   * How often each order was fulfilled, and 1 for each payout booked as paid: the proof that a duplicate callback has
   * no second effect.
   */
  fulfilments(): Record<string, number> {
    const rows = this.#database
      .prepare(
        `
      select reference, fulfilments from orders where fulfilments > 0
      union all select reference, 1 from payouts where status = 'COMPLETED'`,
      )
      .all()
    return Object.fromEntries(rows.map(({ reference, fulfilments }) => [String(reference), Number(fulfilments)]))
  }

  close(): void {
    this.#database.close()
  }
}

const toOrder = ({ reference, amount, currency, state }: Record<string, SQLOutputValue>): Order => ({
  reference: String(reference),
  amount: Number(amount),
  currency: String(currency),
  state: state === 'paid' || state === 'failed' ? state : 'waiting',
})
