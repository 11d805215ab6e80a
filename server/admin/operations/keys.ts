import { NeitherKeyOpens, reseal, type ResealCounts } from '../../storage/reseal.ts'
import { WrongMasterKey } from '../../storage/secret-box.ts'
import {
  listKeys,
  listRsaKeys,
  rotateKey,
  rotateRsaKey,
  type KeyKind,
  type KeyView,
  type RsaKeyView,
} from '../queries/key-rotation.ts'
import { withdrawRsaKey } from '../queries/withdraw-rsa-key.ts'
import { displayValues } from './display-values.ts'
import { merchantNamed, ownMerchant } from './merchant-named.ts'
import { OperationRefusal, type Operation, type OperationContext, type PreparedChange } from './operation.ts'

export const KEEP_OLD_SECONDS = 24 * 3600
export const KEEP_OLD_SECONDS_MAX = 90 * 24 * 3600

interface MerchantKeyInput {
  /** Public key or id. */
  readonly merchant: string
  readonly kind: KeyKind
  /** How long the old key stays valid. */
  readonly keep_old_seconds?: number | undefined
}

type RotatedKey = {
  readonly merchant_id: string
  readonly key_id: string
  readonly kind: KeyKind
  /** In plain text, this once. */
  readonly secret: string
  readonly created_at: string
  /** The keys that were valid before, and until when they still are. */
  readonly replaced: readonly ReplacedKey[]
}
export type ReplacedKey = {
  readonly key_id: string
  readonly kind: KeyKind
  readonly created_at: string
  readonly expires_at: string
}

type RotatedRsaKey = { readonly rsa_key_id: string; readonly public_pem: string; readonly created_at: string }
type Rotated = RotatedKey | RotatedRsaKey

/**
 * A new key of a merchant, or the gateway's own RSA key (`rsa`), which signs for all merchants: the public keys before
 * it stay until they are withdrawn.
 */
export const rotateKeys: Operation<MerchantKeyInput | { readonly rsa: true }, Rotated> = {
  name: 'keys rotate',
  approval: 'keys',
  showsSecrets: true,
  prepare: (context, input) => ('rsa' in input ? rsaRotation(context) : rotation(context, input)),
}

async function rotation(
  context: OperationContext,
  { merchant: name, kind, keep_old_seconds: seconds = KEEP_OLD_SECONDS }: MerchantKeyInput,
): Promise<PreparedChange<Rotated>> {
  const { clock, random } = context
  const { id: merchantId, public_key: subject } = await merchantNamed(context, name)
  const box = await context.secretBox()
  return {
    subject,
    merchantId,
    read: async (pool) => keyValues(await listKeys(pool, merchantId), clock.now()),
    async apply(pool) {
      const wanted = { merchantId, kind, keepOldMs: seconds * 1000 }
      const { created, secret, replaced } = await rotateKey(pool, box, random, wanted, clock.now())
      return {
        merchant_id: String(merchantId),
        key_id: String(created.id),
        kind,
        secret,
        created_at: created.created_at.toISOString(),
        replaced: replaced.map((key) => ({
          key_id: String(key.id),
          kind,
          created_at: key.created_at.toISOString(),
          expires_at: key.expires_at.toISOString(),
        })),
      }
    },
  }
}

async function rsaRotation(context: OperationContext): Promise<PreparedChange<Rotated>> {
  refuseMerchants(context)
  const box = await context.secretBox()
  return {
    subject: 'RSA',
    read: async (pool) => rsaKeyValues(await listRsaKeys(pool)),
    async apply(pool) {
      const { id, public_pem, created_at } = await rotateRsaKey(pool, box, context.clock.now())
      return { rsa_key_id: id, public_pem, created_at: created_at.toISOString() }
    },
  }
}

function refuseMerchants(context: OperationContext): void {
  if (ownMerchant(context) !== undefined) throw new OperationRefusal('forbidden', 'RSA keys are changed by staff')
}

type WithdrawnKey = { readonly rsa_key_id: string; readonly withdrawn_at: string; readonly before: boolean }

/** An RSA key that has leaked is never served again, and its private half is destroyed. */
export const withdrawKey: Operation<{ readonly rsa_key_id: string }, WithdrawnKey> = {
  name: 'keys withdraw',
  approval: 'keys',
  prepare: async ({ clock }, { rsa_key_id: id }) => ({
    subject: 'RSA',
    read: async (pool) => rsaKeyValues(await listRsaKeys(pool)),
    async apply(pool) {
      const withdrawal = await withdrawRsaKey(pool, id, clock.now())
      if (withdrawal.is === 'unknown')
        throw new OperationRefusal('not_found', `there is no RSA key ${id}`, 'See them all: malipo keys list --rsa')
      if (withdrawal.is === 'current')
        throw new OperationRefusal(
          'conflict',
          `RSA key ${id} is the one that signs: make its successor, then withdraw it`,
          'Make its successor: malipo keys rotate --rsa --reason <text>',
        )
      const { key, before } = withdrawal
      return { rsa_key_id: id, withdrawn_at: key.withdrawn_at.toISOString(), before }
    },
  }),
}

/** Seals all secrets with a new master key, which only a command line that has both keys can do. */
export const resealSecrets: Operation<Record<never, never>, ReturnType<typeof resealRecord>> = {
  name: 'keys reseal',
  approval: 'keys',
  async prepare({ resealing }) {
    if (!resealing)
      throw new OperationRefusal('conflict', 'secrets are resealed on the command line', 'malipo keys reseal --help')
    const { box, former } = await resealing()
    return {
      subject: 'master key',
      read: async (_pool, resealed) => displayValues(resealed ? anewOf(resealed) : {}),
      apply: async (pool) => resealRecord(await reseal(pool, box, former)),
      refusalOf(error) {
        if (error instanceof NeitherKeyOpens)
          return new OperationRefusal(
            'conflict',
            `${error.message}: MALIPO_MASTER_KEY_OLD must be the key that this database was written with`,
            'Nothing was changed.',
          )
        return error instanceof WrongMasterKey && former === undefined
          ? new OperationRefusal(
              'conflict',
              'MALIPO_MASTER_KEY is not the key that this database was written with, and no other key was given',
              'Set MALIPO_MASTER_KEY_OLD to that one. Nothing was changed.',
            )
          : undefined
      },
    }
  },
}

const resealRecord = (counts: ResealCounts) => ({
  merchant_secrets: counts.merchantSecrets,
  rsa_keys: counts.rsaKeys,
  digest_keys: counts.digestKeys,
  rail_settings: counts.railSettings,
  callback_keys: counts.callbackKeys,
  rail_callbacks: counts.railCallbacks + counts.accountMessages,
  approval_inputs: counts.approvalInputs,
  sealed_already: counts.current,
})

/** How many secrets no longer use the previous key. */
const anewOf = ({ sealed_already: _current, ...anew }: ReturnType<typeof resealRecord>) =>
  Object.fromEntries(
    Object.entries(anew)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => [`${name.replaceAll('_', ' ')} resealed`, count]),
  )

/** Whether a key still counts. */
export const isValid = ({ expires_at }: Pick<KeyView, 'expires_at'>, now: Date): boolean =>
  expires_at === null || expires_at > now

/** Never the keys themselves. */
const keyValues = (keys: readonly KeyView[], now: Date) =>
  displayValues(
    Object.fromEntries(
      keys
        .filter((key) => isValid(key, now))
        .map(({ id, kind, expires_at: end }) => [`key ${id} (${kind})`, end ? `until ${timeText(end)}` : 'valid']),
    ),
  )

const timeText = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')}Z`

const rsaKeyValues = (keys: readonly RsaKeyView[]) =>
  displayValues({
    'RSA key that signs': keys[0]?.id,
    'withdrawn RSA keys': keys.flatMap(({ id, withdrawn_at }) => (withdrawn_at ? [id] : [])).join(' '),
  })
