import type { IncomingMessage } from 'node:http'
import { readCapped, type CappedBody } from '../http/body.ts'

/** Far above any form of the page. */
export const FORM_MAX_BYTES = 4_096

type FormBody = URLSearchParams | 'not_a_form' | Exclude<CappedBody, Buffer>

/** Reads a posted form. The app reads no bodies, so the form is still unread in the socket. */
export async function readForm(message: IncomingMessage): Promise<FormBody> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(message.headers['content-type'] ?? '')) return 'not_a_form'
  const bytes = await readCapped(message, FORM_MAX_BYTES)
  return typeof bytes === 'string' ? bytes : new URLSearchParams(bytes.toString('utf8'))
}
