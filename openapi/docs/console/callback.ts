/** A message that Malipo sent to the demo merchant, as returned by the sandbox's inbox. */
export interface InboxRow {
  readonly id: number
  readonly kind: 'callback' | 'handshake'
  /** ISO 8601. */
  readonly received_at: string
  readonly event: string | null
  readonly transaction_status: string | null
  readonly checks: Readonly<Record<string, { readonly verdict: string }>>
  readonly body: string
}

const INBOX = '/sandbox/inbox'
const TIME_MS_MAX = 60_000
const FIRST_PAUSE_MS = 200
const PAUSE_MS_MAX = 2_000

/** The inbox page with the messages for a reference. */
export const inboxOf = (reference: string): string => `${INBOX}?reference=${encodeURIComponent(reference)}`

/** The inbox page of one message. */
export const messageAddress = ({ id }: InboxRow): string => `${INBOX}/${id}`

export const isGenuine = ({ checks }: InboxRow): boolean =>
  Object.values(checks).every(({ verdict }) => verdict !== 'bad')

/** The state while waiting for a callback. `late`: none came within a minute. */
export type InboxPoll = { readonly messages: readonly InboxRow[]; readonly is: 'waiting' | 'there' | 'late' }

/**
 * Polls the inbox for messages about a reference, with growing intervals, until a callback is there.
 *
 * @returns a function that stops polling
 */
export function watchInbox(reference: string, see: (seen: InboxPoll) => void): () => void {
  const stopped = new AbortController()
  const deadline = Date.now() + TIME_MS_MAX
  let timer: ReturnType<typeof setTimeout> | undefined
  const poll = async (pauseMs: number): Promise<void> => {
    const messages = await messagesOf(reference, stopped.signal)
    if (stopped.signal.aborted) return
    const isThere = messages.some(({ kind }) => kind === 'callback')
    const isLate = Date.now() > deadline
    see({ messages, is: isThere ? 'there' : isLate ? 'late' : 'waiting' })
    if (!isThere && !isLate) timer = setTimeout(() => void poll(Math.min(pauseMs * 1.5, PAUSE_MS_MAX)), pauseMs)
  }
  void poll(FIRST_PAUSE_MS)
  return () => {
    stopped.abort()
    clearTimeout(timer)
  }
}

/** Newest first; empty when the inbox does not answer: the next poll may succeed. */
async function messagesOf(reference: string, signal: AbortSignal): Promise<readonly InboxRow[]> {
  try {
    const reply = await fetch(inboxOf(reference), { headers: { accept: 'application/json' }, signal })
    const { messages = [] } = (await reply.json()) as { readonly messages?: readonly InboxRow[] }
    return messages
  } catch {
    return []
  }
}
