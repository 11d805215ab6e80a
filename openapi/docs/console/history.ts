/** An exchange as the browser keeps it: no keys, no password. */
export interface HistoryEntry {
  /** ISO 8601. */
  readonly at: string
  readonly operationId: string
  readonly parameters: Readonly<Record<string, string>>
  readonly body: string
  /** A password stood in the body and is gone: it cannot be sent again as it was. */
  readonly isShortened: boolean
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly reply: string
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const NAME = 'malipo-docs-console-history'
const ENTRIES_MAX = 20
/** The longest replies are lists; their beginning tells enough. */
const REPLY_CHARACTERS_MAX = 8_000
const PASSWORD = 'otp'

/** What is kept, newest first; nothing where the browser keeps nothing for us, or where somebody else wrote there. */
export function keptExchanges(store: Store): readonly HistoryEntry[] {
  try {
    const found: unknown = JSON.parse(store.getItem(NAME) ?? '[]')
    return Array.isArray(found) ? found.filter(isKept) : []
  } catch {
    return []
  }
}

/** Keeps one more, and forgets the oldest beyond twenty. @returns what is kept now */
export function keepExchange(store: Store, one: HistoryEntry): readonly HistoryEntry[] {
  const body = withoutPassword(one.body)
  const shortened: HistoryEntry = {
    ...one,
    body,
    isShortened: body !== one.body,
    reply: one.reply.slice(0, REPLY_CHARACTERS_MAX),
  }
  const all = [shortened, ...keptExchanges(store)].slice(0, ENTRIES_MAX)
  try {
    store.setItem(NAME, JSON.stringify(all))
  } catch {
    // Full, or forbidden: then this one is shown, and none of before.
  }
  return all
}

export function forgetExchanges(store: Store): void {
  try {
    store.removeItem(NAME)
  } catch {
    // Nothing was kept then.
  }
}

/** One-time passwords are secrets of a customer. What cannot be read and may have one is not kept at all. */
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
