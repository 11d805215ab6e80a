/** An exchange as the browser stores it: without keys and OTPs. */
export interface HistoryEntry {
  /** ISO 8601. */
  readonly at: string
  readonly operationId: string
  readonly parameters: Readonly<Record<string, string>>
  readonly body: string
  /** The body had an OTP, which is not stored: the request cannot be sent again as it was. */
  readonly isShortened: boolean
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly reply: string
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const NAME = 'malipo-docs-console-history'
const ENTRIES_MAX = 20
/** The longest replies are lists; their beginning is enough. */
const REPLY_CHARACTERS_MAX = 8_000
const PASSWORD = 'otp'

/** The stored exchanges, newest first; empty where the browser stores nothing, or another program wrote there. */
export function storedExchanges(store: Store): readonly HistoryEntry[] {
  try {
    const found: unknown = JSON.parse(store.getItem(NAME) ?? '[]')
    return Array.isArray(found) ? found.filter(isKept) : []
  } catch {
    return []
  }
}

/** Stores one more exchange and drops the oldest after twenty. @returns the stored exchanges */
export function storeExchange(store: Store, one: HistoryEntry): readonly HistoryEntry[] {
  const body = withoutPassword(one.body)
  const shortened: HistoryEntry = {
    ...one,
    body,
    isShortened: body !== one.body,
    reply: one.reply.slice(0, REPLY_CHARACTERS_MAX),
  }
  const all = [shortened, ...storedExchanges(store)].slice(0, ENTRIES_MAX)
  try {
    store.setItem(NAME, JSON.stringify(all))
  } catch {
    // Storage is full or forbidden: show this one and none of the earlier ones.
  }
  return all
}

export function forgetExchanges(store: Store): void {
  try {
    store.removeItem(NAME)
  } catch {
    // Nothing was stored.
  }
}

/**
 * One-time passwords (OTPs) are a customer's secrets. A body that cannot be parsed and may contain one is not stored.
 */
function withoutPassword(body: string): string {
  if (!body.includes(PASSWORD)) return body
  try {
    const { [PASSWORD]: _password, ...rest } = JSON.parse(body) as Readonly<Record<string, unknown>>
    return JSON.stringify(rest, undefined, 2)
  } catch {
    return ''
  }
}

const isKept = (value: unknown): value is HistoryEntry =>
  typeof value === 'object' &&
  value !== null &&
  ['at', 'operationId', 'body', 'statusText', 'reply'].every(
    (name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'string',
  ) &&
  typeof (value as HistoryEntry).status === 'number' &&
  typeof (value as HistoryEntry).parameters === 'object' &&
  (value as HistoryEntry).parameters !== null &&
  Array.isArray((value as HistoryEntry).headers)
