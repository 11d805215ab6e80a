import { html } from 'ghtml'
import { COLOUR } from '../../../domain/brand.ts'
import { logoPath } from '../../../payment-page/logo-route.ts'
import { brandColours } from '../../../payment-page/brand-colour.ts'
import type { Viewer } from './viewer.ts'

interface Brand {
  readonly name: string
  readonly brand_colour?: string | undefined
  readonly logo_digest?: string | undefined
}

/** The head of the payment page as customers see it. Colours are attributes: no policy allows a style of one merchant. */
export function brandPreview({ say, money }: Viewer, { name, brand_colour: colour = '', logo_digest: logo }: Brand) {
  const { fill, onFill } = COLOUR.test(colour) ? brandColours(colour).light : { fill: '#0b57a4', onFill: '#ffffff' }
  const amount = money({ amountMinor: 5_000n, currency: 'UGX' })
  return html`<figure class="preview" aria-label="${say('brandPreview')}">
<svg width="100%" height="6" aria-hidden="true"><rect width="100%" height="6" fill="${fill}"/></svg>
!${logo === undefined ? '' : html`<img src="!${logoPath(logo)}" alt="${say('logoOf', { name })}">`}
<span class="soft">${name}</span><b class="figure">${amount}</b>
<svg width="100%" height="52" aria-hidden="true"><rect width="100%" height="52" rx="10" fill="${fill}"/><text x="50%" y="32" text-anchor="middle" font-weight="700" fill="${onFill}">${say('payAmount', { amount })}</text></svg>
</figure>`
}
