import { open } from 'node:fs/promises'
import type { Command } from 'commander'
import { LOGO_BYTES_MAX } from '../../domain/logo.ts'
import { brandMerchant } from '../operations/brand-merchant.ts'
import { brandRecord } from '../queries/merchant-record.ts'
import type { MerchantView } from '../queries/merchants.ts'
import { MALIPO } from './called-as.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { withDatabase } from './database.ts'
import { usedWrongly } from './errors.ts'
import { print, printFields, printJson } from './output.ts'
import { runAddition } from './run-change.ts'
import { addRecordedAction, type RecordedOptions } from './staff-action.ts'

/** An empty text removes a value: the option parser has no null. */
interface BrandOptions extends RecordedOptions {
  readonly colour?: string
  readonly logo?: string
  readonly support?: string
}

export function defineBrand(group: Command): void {
  addRecordedAction(
    group,
    'brand',
    'show or change what customers see of a merchant on the payment page; none removes it',
    `${MALIPO} merchant brand pub_sandbox_demo --colour '#0b57a4' --support +256772000123`,
    `${MALIPO} merchant brand 2 --logo ./logo.png`,
    `${MALIPO} merchant brand 2 --logo none`,
  )
    .argument('<merchant>', 'public key or id')
    .option('--colour <colour>', 'of buttons, such as #0b57a4', orNone)
    .option('--logo <file>', `a PNG, JPEG or WebP of ${LOGO_BYTES_MAX / 1024} kB at most; no SVG`)
    .option('--support <contact>', 'a phone number, e-mail address or https URL for customers', orNone)
    .action(brand)
}

const orNone = (text: string): string => (text === 'none' ? '' : text)

async function brand(name: string, { colour, logo, support, ...options }: BrandOptions): Promise<void> {
  const change = {
    ...(colour !== undefined && { colour }),
    ...(support !== undefined && { support_contact: support }),
    ...(logo !== undefined && { logo: ['none', ''].includes(logo) ? '' : await logoIn(logo) }),
  }
  const merchant = await withDatabase(async (context) => {
    if (Object.keys(change).length > 0)
      await runAddition(context, brandMerchant, { merchant: name, ...change }, options)
    return merchantNamed(context, name)
  })
  if (options.json) return printJson(brandRecord(merchant))
  printFields([['name', merchant.name], ...brandFields(merchant)])
  if (Object.keys(change).length > 0) print('\nCustomers see it within a second.')
}

/** Reads at most the maximum size of a logo, whatever the file is. */
async function logoIn(path: string): Promise<string> {
  try {
    const file = await open(path)
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(LOGO_BYTES_MAX + 1))
      if (bytesRead > LOGO_BYTES_MAX)
        throw new RangeError(`The file has more than the ${LOGO_BYTES_MAX} bytes that a logo may have.`)
      return buffer.toString('base64', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw usedWrongly(`malipo: --logo cannot be used. ${(error as Error).message}`)
  }
}

export const brandFields = (merchant: MerchantView): readonly (readonly [string, string])[] => [
  ['colour', merchant.brand_colour ?? '(the page’s own)'],
  ['logo', merchant.logo_digest === null ? '(none)' : `/pay/logo/${merchant.logo_digest}`],
  ['support contact', merchant.support_contact ?? '(none: the page names no contact)'],
]
