import type { Field } from '../look/form.ts'
import type { SayOf } from '../look/viewer.ts'
import type { MERCHANT_TEXTS } from './texts.ts'

export type SayMerchant = SayOf<typeof MERCHANT_TEXTS>

interface Urls {
  readonly collection_callback_url?: string
  readonly payout_callback_url?: string
  readonly refund_callback_url?: string
  readonly verification_url?: string
  readonly batch_handshake?: boolean
  readonly redirect_hosts?: readonly string[]
}

/** Where callbacks go, and where customers may be sent. */
export const urlFields = (say: SayMerchant): readonly Field[] => [
  { name: 'collection_callback_url', label: say('collectionUrl'), type: 'url', isOptional: true },
  { name: 'payout_callback_url', label: say('payoutUrl'), type: 'url', isOptional: true },
  { name: 'refund_callback_url', label: say('refundUrl'), type: 'url', isOptional: true },
  {
    name: 'verification_url',
    label: say('verificationUrl'),
    type: 'url',
    isOptional: true,
    hint: say('verificationHint'),
  },
  { name: 'batch_handshake', label: say('batchHandshake'), type: 'checkbox', isOptional: true },
  { name: 'redirect_hosts', label: say('hosts'), isOptional: true, hint: say('hostsHint') },
]

/** What those fields hold now. */
export const urlValues = ({ redirect_hosts: hosts = [], ...urls }: Urls): Record<string, string> => ({
  collection_callback_url: urls.collection_callback_url ?? '',
  payout_callback_url: urls.payout_callback_url ?? '',
  refund_callback_url: urls.refund_callback_url ?? '',
  verification_url: urls.verification_url ?? '',
  batch_handshake: urls.batch_handshake ? 'yes' : '',
  redirect_hosts: hosts.join(', '),
})

/** What differs from what is set now: the audit log tells a URL that was set again from one that stayed. */
export function urlsOf(fields: URLSearchParams, now: Urls) {
  const before = urlValues(now)
  const changed = Object.keys(before).flatMap((name) => {
    const value = fields.get(name)?.trim() ?? ''
    if (value === before[name]) return []
    const hosts = value.split(',').map((host) => host.trim())
    const set = name === 'batch_handshake' ? value !== '' : value
    return [[name, name === 'redirect_hosts' ? hosts.filter((host) => host !== '') : set] as const]
  })
  return Object.fromEntries(changed)
}
