import { html } from 'ghtml'
import { badge, type Tone } from '../look/values.ts'

const TONES: Readonly<Record<string, Tone>> = { PENDING: 'busy', DELIVERED: 'good', STOPPED: 'bad' }

/** The state of a callback. */
export const callbackBadge = (status: string): string => badge(status, TONES[status] ?? 'calm')

interface ResendForm {
  readonly action: string
  readonly formToken: string
  readonly idempotencyKey: string
  readonly text: string
}

/** A button: receivers recognize a callback that comes twice, so nothing needs to be confirmed. */
export const resendForm = ({ action, formToken, idempotencyKey, text }: ResendForm): string =>
  html`<form method="post" action="${action}"><input type="hidden" name="token" value="${formToken}"><input type="hidden" name="idempotency_key" value="${idempotencyKey}"><button>${text}</button></form>`
