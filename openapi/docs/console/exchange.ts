import type { ConsoleRequest } from './request.ts'

/** The reply, or why there is none. */
export interface ConsoleReply {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
  /** Absent: the reply is not JSON. */
  readonly json?: unknown
  /** The message to show when there is no reply. */
  readonly fault?: string
}

const INBOX = '/sandbox/inbox'
const TIME_MS_MAX = 20_000

/**
 * Why requests are disabled here, or undefined when a sandbox serves this page. Only a sandbox has an inbox: nothing
 * may be tried with real keys.
 */
export async function whyUnavailable(): Promise<string | undefined> {
  if (!location.protocol.startsWith('http')) {
    return 'This page was opened from disk, so there is no gateway to send to. Start one with npm start, and open the docs at the address that it prints.'
  }
  const isSandbox = await fetch(INBOX, { method: 'HEAD' }).then(
    ({ status }) => status === 200,
    () => false,
  )
  return isSandbox
    ? undefined
    : 'No sandbox answers here: this gateway runs in live mode, or something else serves this page. Start a sandbox with npm start, and open the docs at the address that it prints.'
}

/** Sends the request from the browser; never rejects. */
export async function sendRequest({ method, url, headers, body }: ConsoleRequest): Promise<ConsoleReply> {
  const nothing = { status: 0, statusText: '', headers: [], text: '' }
  try {
    const reply = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIME_MS_MAX),
    })
    const text = await reply.text()
    const shown = { status: reply.status, statusText: reply.statusText, headers: [...reply.headers], text }
    try {
      return { ...shown, json: JSON.parse(text) }
    } catch {
      return shown
    }
  } catch (error) {
    // Also when a field has a value that is not valid in a header.
    return {
      ...nothing,
      fault: `Nothing came back (${error instanceof Error ? error.message : String(error)}). Is the gateway still running?`,
    }
  }
}
