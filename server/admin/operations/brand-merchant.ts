import { parseColour, parseSupportContact } from '../../domain/brand.ts'
import { readLogo } from '../../domain/logo.ts'
import { changeBrand, type BrandChange } from '../queries/merchant-brand.ts'
import { brandRecord } from '../queries/merchant-record.ts'
import { displayValues } from './display-values.ts'
import { merchantNamed } from './merchant-named.ts'
import { OperationRefusal, type Operation } from './operation.ts'
import { parsed } from './parsed.ts'

interface BrandInput {
  /** Public key or id. */
  readonly merchant: string
  /** `#0b57a4`; an empty text removes a value. */
  readonly colour?: string | undefined
  readonly support_contact?: string | undefined
  /** A PNG, JPEG or WebP in base64. */
  readonly logo?: string | undefined
}

/** What customers see of a merchant on the payment page. */
export const brandMerchant: Operation<BrandInput, { readonly merchant_id: string }> = {
  name: 'merchant brand',
  async prepare(context, input) {
    const change = brandChange(input)
    if (Object.keys(change).length === 0) throw new OperationRefusal('invalid', 'nothing to change')
    const { id, public_key: subject } = await merchantNamed(context, input.merchant)
    return {
      subject,
      merchantId: id,
      read: async (pool) => displayValues(brandRecord(await merchantNamed({ ...context, pool }, String(id)))),
      async apply(pool) {
        await changeBrand(pool, id, change)
        return { merchant_id: String(id) }
      },
    }
  },
}

function brandChange({ colour, support_contact: contact, logo }: BrandInput): BrandChange {
  const change = <Value>(what: string, text: string, parse: (given: string) => Value): Value | null =>
    text === '' ? null : parsed(what, () => parse(text))
  return {
    ...(colour !== undefined && { colour: change('the colour', colour, parseColour) }),
    ...(contact !== undefined && { supportContact: change('the support contact', contact, parseSupportContact) }),
    ...(logo !== undefined && {
      logo: change('the logo', logo, (text) => readLogo(Buffer.from(text, 'base64'))),
    }),
  }
}
