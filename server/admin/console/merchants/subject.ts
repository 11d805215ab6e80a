import type { Opened } from '../console-routes.ts'
import { MERCHANT_TEXTS } from './texts.ts'

const merchantOf = ({ params, actor }: Opened): string =>
  actor.kind === 'merchant' ? String(actor.merchantId) : (params.merchant ?? '')

/** The page of the merchant that a task is about: people of a merchant have its own settings. */
const pathOf = ({ params, actor }: Opened): string =>
  actor.kind === 'merchant' ? '/settings' : `/merchants/${params.merchant ?? ''}`

/** The merchant, and the page that its tasks lead back to. */
export async function subjectOf(opened: Opened) {
  const merchant = await opened.show('showMerchant', { params: { merchant: merchantOf(opened) } })
  return {
    say: opened.viewer.texts(MERCHANT_TEXTS),
    merchant,
    name: merchant.name,
    back: { href: pathOf(opened), text: merchant.name },
  }
}

/** Says on that page what was done. */
export const finished = (opened: Opened, text: keyof (typeof MERCHANT_TEXTS)['en'], name = '') =>
  opened.done(pathOf(opened), opened.viewer.texts(MERCHANT_TEXTS)(text, { name }))

/** The merchant that the operation is about. */
export const ofMerchant = (opened: Opened) => ({ params: { merchant: merchantOf(opened) } })
