import { html } from 'ghtml'
import type { FormPage } from '../look/form.ts'
import { badge, type Tone } from '../look/values.ts'

const TONES: Readonly<Record<string, Tone>> = { PENDING: 'busy', DELIVERED: 'good', STOPPED: 'bad' }

interface CallbackState {
  readonly status: string
  readonly event: string
  readonly url: string
  readonly waits_for_url: boolean
}

/** The state of a callback. One without a URL has not failed: its merchant wants none, or not yet. */
export function callbackBadge(
  say: (name: 'noCallbackUrl' | 'noRefundUrl') => string,
  { status, event, url, waits_for_url: waits }: CallbackState,
): string {
  if (!waits) return badge(status, TONES[status] ?? 'calm')
  return badge(url === '' ? say(event.startsWith('refund.') ? 'noRefundUrl' : 'noCallbackUrl') : status, 'calm')
}

/** A button: receivers recognize a callback that comes twice, so nothing needs to be confirmed. */
export const resendForm = ({ formToken, idempotencyKey }: FormPage, action: string, text: string): string =>
  html`<form method="post" action="${action}"><input type="hidden" name="token" value="${formToken}"><input type="hidden" name="idempotency_key" value="${idempotencyKey}"><button>${text}</button></form>`
