import type { TransactionType } from '../../domain/provider.ts'
import { directionControlIn } from '../../domain/readable-text.ts'
import { parseRedirectHosts } from '../../domain/redirect-url.ts'
import {
  createMerchant,
  newMerchantKeys,
  setOptionEnabled,
  updateMerchant,
  type MerchantSettings,
} from '../queries/merchants.ts'
import { listProviderOptions } from '../queries/provider-settings.ts'
import { merchantNamed, ownMerchant } from './merchant-named.ts'
import { merchantValues } from './merchant-values.ts'
import { OperationRefusal, type Operation, type OperationContext } from './operation.ts'
import { faultOfUrl } from './outbound-url.ts'
import { parsed } from './parsed.ts'

/** An empty text removes a URL, an empty list of hosts allows any. */
interface SettingsInput {
  readonly name?: string | undefined
  readonly collection_callback_url?: string | undefined
  readonly payout_callback_url?: string | undefined
  readonly refund_callback_url?: string | undefined
  readonly verification_url?: string | undefined
  readonly refunds_by_payout?: boolean | undefined
  readonly page_retries?: boolean | undefined
  readonly batch_handshake?: boolean | undefined
  readonly redirect_hosts?: readonly string[] | undefined
}

interface OptionInput {
  readonly provider_code: string
  readonly transaction_type: TransactionType
}

interface ChangeInput extends SettingsInput {
  /** Public key or id. */
  readonly merchant: string
  readonly enable?: readonly OptionInput[] | undefined
  readonly disable?: readonly OptionInput[] | undefined
}

type Created = {
  readonly merchant_id: string
  readonly public_key: string
  readonly secret_key: string
  readonly signing_key: string
  readonly webhook_secret: string
}

/** A merchant with its keys, which are shown once, and with all payment options that there are. */
export const createMerchantWithKeys: Operation<SettingsInput & { readonly name: string }, Created> = {
  name: 'merchant create',
  approval: 'urls',
  showsSecrets: true,
  async prepare(context, input) {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== ''))
    const settings = { ...settingsOf(context, given), name: nameOf(input.name) }
    const [keys, box] = [newMerchantKeys(context.random), await context.secretBox()]
    const created = (pool: OperationContext['pool'], id: string) => merchantNamed({ ...context, pool }, id)
    return {
      subject: keys.publicKey,
      read: async (pool, done) => (done ? merchantValues(await created(pool, done.merchant_id)) : {}),
      async apply(pool) {
        const id = await createMerchant(pool, box, { ...settings, keys, sandboxOnly: false }, context.clock.now())
        const { publicKey, secretKey, signingKey, webhookSecret } = keys
        return {
          merchant_id: String(id),
          public_key: publicKey,
          secret_key: secretKey,
          signing_key: signingKey,
          webhook_secret: webhookSecret,
        }
      },
    }
  },
}

/** Its name, its URLs, where customers may be sent, and which payment options it may use. */
export const changeMerchant: Operation<ChangeInput, { readonly merchant_id: string }> = {
  name: 'merchant set',
  approval: 'urls',
  async prepare(context, input) {
    const { merchant: name, enable = [], disable = [] } = input
    const settings = settingsOf(context, input)
    if (Object.keys(settings).length + enable.length + disable.length === 0)
      throw new OperationRefusal('invalid', 'nothing to change', 'See what can be: malipo merchant set --help')
    const { id, public_key: subject } = await merchantNamed(context, name)
    if (ownMerchant(context) !== undefined && (settings.name !== undefined || enable.length + disable.length > 0))
      throw new OperationRefusal('forbidden', 'names and payment options are changed by staff')
    const both = enable.find((one) => disable.some((other) => optionName(one) === optionName(other)))
    if (both) throw new OperationRefusal('invalid', `${optionName(both)} is to be enabled and disabled`)
    await refuseUnknown(context, [...enable, ...disable])
    return {
      subject,
      merchantId: id,
      read: async (pool, done) =>
        merchantValues(await merchantNamed({ ...context, pool }, String(id)), done ? settings : {}),
      async apply(pool) {
        await updateMerchant(pool, id, settings)
        for (const [options, isEnabled] of [
          [enable, true],
          [disable, false],
        ] as const)
          for (const { provider_code: code, transaction_type: type } of options)
            await setOptionEnabled(pool, id, code, type, isEnabled)
        return { merchant_id: String(id) }
      },
    }
  },
}

/** @throws OperationRefusal for a URL that callbacks could not reach by the rules of the mode */
function settingsOf(context: OperationContext, input: SettingsInput): MerchantSettings {
  const { name, redirect_hosts: hosts } = input
  const url = (what: string, text: string | undefined): string | undefined => {
    const fault = text ? faultOfUrl(context, text) : undefined
    if (fault !== undefined) throw new OperationRefusal('invalid', `the ${what} URL cannot be used: ${fault}`)
    return text
  }
  const settings = {
    name: name === undefined ? undefined : nameOf(name),
    collectionCallbackUrl: url('collection callback', input.collection_callback_url),
    payoutCallbackUrl: url('payout callback', input.payout_callback_url),
    refundCallbackUrl: url('refund callback', input.refund_callback_url),
    verificationUrl: url('verification', input.verification_url),
    refundsByPayout: input.refunds_by_payout,
    pageRetries: input.page_retries,
    batchHandshake: input.batch_handshake,
    redirectHosts: hosts && parsed('redirect hosts', () => parseRedirectHosts(hosts.join(','))),
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

/** A display name: letters of any script, without characters that reorder what customers read. */
function nameOf(text: string): string {
  const control = directionControlIn(text)
  if (text.trim() === '' || control !== undefined)
    throw new OperationRefusal(
      'invalid',
      control === undefined ? 'a name must not be empty' : `a name must not contain the control character ${control}`,
    )
  return text.trim()
}

const optionName = ({ provider_code: code, transaction_type: type }: OptionInput): string => `${code}:${type}`

async function refuseUnknown({ pool }: OperationContext, options: readonly OptionInput[]): Promise<void> {
  if (options.length === 0) return
  const known = await listProviderOptions(pool, { currency: undefined, type: undefined })
  const unknown = options.find(
    ({ provider_code: code, transaction_type: type }) =>
      !known.some((row) => row.provider_code === code && row.transaction_type === type),
  )
  if (unknown)
    throw new OperationRefusal(
      'not_found',
      `there is no payment option ${optionName(unknown)}`,
      'See them all: malipo provider list',
    )
}
