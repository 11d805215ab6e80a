import { InvalidArgumentError, type Command } from 'commander'
import {
  KEY_KINDS,
  listKeys,
  listRsaKeys,
  type KeyKind,
  type KeyRotation,
  type KeyView,
  type ReplacedKey as ReplacedKeyView,
} from '../queries/key-rotation.ts'
import { isValid, KEEP_OLD_SECONDS_MAX, rotateKeys, withdrawKey, type ReplacedKey } from '../operations/keys.ts'
import type { MerchantView } from '../queries/merchants.ts'
import { RSA_KEY_ID } from '../../storage/rsa-key-id.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, parseSpan } from './command.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { withDatabase } from './database.ts'
import { usedWrongly } from './errors.ts'
import { resealAll } from './keys-reseal.ts'
import { print, printable, printFields, printJson, printTable, shortTime } from './output.ts'
import { runChange } from './run-change.ts'
import { addStaffAction, type StaffOptions } from './staff-action.ts'

const KEEP_OLD_HELP =
  '0 (it ends at once), 90s, 15m, 24h, 7d; 24h by default. An old signing key signs callbacks and redirects until then, the new one from then on'

interface RotateOptions extends StaffOptions {
  readonly kind?: KeyKind
  /** In seconds. */
  readonly keepOld?: number
  readonly rsa?: true
}

export function define(group: Command): void {
  addExamples(group, `${MALIPO} keys list 2`)
  addLeaf(
    group,
    'list',
    "list a merchant's keys by id, kind and age; the keys themselves are shown once, when they are made",
    `${MALIPO} keys list pub_sandbox_demo`,
    `${MALIPO} keys list --rsa`,
  )
    .argument('[merchant]', 'public key or id')
    .option('--rsa', "the gateway's own RSA keys instead")
    .action(list)
  addStaffAction(
    group,
    'rotate',
    'make a new key; the old one stays valid for a while',
    `${MALIPO} keys rotate 2 --kind secret_key --keep-old 7d --reason "Yearly rotation"`,
    `${MALIPO} keys rotate 2 --kind signing_key --keep-old 0 --reason "It has leaked"`,
    `${MALIPO} keys rotate --rsa --reason "Yearly rotation"`,
  )
    .argument('[merchant]', 'public key or id')
    .option('--kind <kind>', KEY_KINDS.join(', '), parseKind)
    .option('--keep-old <span>', `how long the old key stays valid: ${KEEP_OLD_HELP}`, parseKeepOld)
    .option(
      '--rsa',
      "the gateway's own RSA key, which signs for all merchants; its old public keys stay available by their ids, until they are withdrawn",
    )
    .action(rotate)
  addStaffAction(
    group,
    'withdraw',
    'withdraw an RSA key that has leaked: it is never served again; rotate first if it is the signing key',
    `${MALIPO} keys rotate --rsa --reason "It has leaked"`,
    `${MALIPO} keys withdraw --rsa 0f3b7a61c2d94e58 --reason "It has leaked"`,
  )
    .requiredOption('--rsa <id>', `its id, as in \`${MALIPO} keys list --rsa\``, parseRsaKeyId)
    .action(withdraw)
  addStaffAction(
    group,
    'reseal',
    'reseal the secrets in the database with a new master key (MALIPO_MASTER_KEY); MALIPO_MASTER_KEY_OLD is the previous one',
    `MALIPO_MASTER_KEY_OLD="$old_key" MALIPO_MASTER_KEY="$new_key" ${MALIPO} keys reseal --reason "Yearly rotation"`,
  ).action(resealAll)
}

function parseKind(text: string): KeyKind {
  const kind = KEY_KINDS.find((name) => name === text.toLowerCase())
  if (!kind) throw new InvalidArgumentError(`It must be one of ${KEY_KINDS.join(', ')}.`)
  return kind
}

function parseRsaKeyId(text: string): string {
  if (!RSA_KEY_ID.test(text.toLowerCase())) throw new InvalidArgumentError('It must be 16 hexadecimal digits.')
  return text.toLowerCase()
}

function parseKeepOld(text: string): number {
  const seconds = parseSpan(text)
  if (seconds > KEEP_OLD_SECONDS_MAX)
    throw new InvalidArgumentError(`It must be at most ${KEEP_OLD_SECONDS_MAX / 86_400}d.`)
  return seconds
}

async function list(name: string | undefined, { rsa, json }: { rsa?: true; json?: true }): Promise<void> {
  if ((name === undefined) === (rsa === undefined)) throw usedWrongly('malipo: say either whose keys or --rsa')
  if (name === undefined) return listRsa(json)
  const { keys, now } = await withDatabase(async (context) => ({
    keys: await listKeys(context.pool, (await merchantNamed(context, name)).id),
    now: context.clock.now(),
  }))
  if (json) return printJson(keys.map((key) => ({ ...key, valid: isValid(key, now) })))
  printTable(
    keys,
    [
      { title: 'ID', of: ({ id }) => id, align: 'right' },
      { title: 'KIND', of: ({ kind }) => kind },
      { title: 'CREATED', of: ({ created_at }) => shortTime(created_at) },
      { title: 'EXPIRES', of: ({ expires_at }) => expires_at && shortTime(expires_at) },
      { title: 'VALID', of: (key) => (isValid(key, now) ? 'yes' : 'no') },
    ],
    'No key.',
  )
}

async function listRsa(json: true | undefined): Promise<void> {
  const keys = await withDatabase(({ pool }) => listRsaKeys(pool))
  const signing = keys[0]?.id
  if (json) return printJson(keys.map((key, index) => ({ ...key, signs: index === 0 })))
  printTable(
    keys,
    [
      { title: 'RSA KEY ID', of: ({ id }) => id },
      { title: 'CREATED', of: ({ created_at }) => shortTime(created_at) },
      { title: 'SIGNS', of: ({ id }) => (id === signing ? 'yes' : 'no') },
      { title: 'WITHDRAWN', of: ({ withdrawn_at }) => withdrawn_at && shortTime(withdrawn_at) },
    ],
    'No key yet: the server makes one at its first start.',
  )
}

async function rotate(name: string | undefined, options: RotateOptions): Promise<void> {
  const { kind, keepOld, rsa, json } = options
  if ((name === undefined) === (rsa === undefined)) throw usedWrongly('malipo: say either whose key or --rsa')
  if (name === undefined) {
    if (kind !== undefined || keepOld !== undefined)
      throw usedWrongly(
        'malipo: --rsa goes without --kind and --keep-old: old public keys stay available until they are withdrawn',
      )
    return rotateRsa(options)
  }
  if (kind === undefined) throw usedWrongly(`malipo: say which with --kind: ${KEY_KINDS.join(', ')}`)
  const input = { merchant: name, kind, keep_old_seconds: keepOld }
  const { merchant, rotated } = await withDatabase(async (context) => {
    const rotated = await runChange(context, rotateKeys, input, options)
    if (!('secret' in rotated)) throw new Error('an RSA key was made instead')
    return { merchant: await merchantNamed(context, rotated.merchant_id), rotated }
  })
  const created = keyView(rotated, null)
  const replaced = rotated.replaced.map((key) => keyView(key, new Date(key.expires_at)))
  if (json) printJson({ merchant_public_key: merchant.public_key, ...created, [kind]: rotated.secret, replaced })
  else reportRotated(merchant, kind, { created, secret: rotated.secret, replaced })
}

const keyView = <Expiry extends Date | null>(
  { key_id, kind, created_at }: Omit<ReplacedKey, 'expires_at'>,
  expires_at: Expiry,
) => ({ id: BigInt(key_id), kind, created_at: new Date(created_at), expires_at })

function reportRotated(merchant: MerchantView, kind: KeyKind, { created, secret, replaced }: KeyRotation): void {
  print(`${printable(merchant.name)} has a new ${kind}, key ${created.id}; running servers know it within a second.\n`)
  printFields([[kind.replace('_', ' '), secret]])
  print('\nKeep it now: it is shown only once.')
  if (kind === 'signing_key') return reportWhoSigns(created, replaced)
  for (const { id, expires_at } of replaced)
    print(
      expires_at > created.created_at
        ? `Key ${id} stays valid until ${shortTime(expires_at)}.`
        : `Key ${id} is no longer valid.`,
    )
}

/** Lists the keys in the order in which they sign: the oldest valid key signs, whenever it expires. */
function reportWhoSigns(created: KeyView, replaced: readonly ReplacedKeyView[]): void {
  let from = created.created_at
  const kept: string[] = []
  for (const { id, expires_at: end } of replaced.toReversed()) {
    if (end <= created.created_at) print(`Key ${id} is no longer valid.`)
    else if (end <= from) kept.push(`key ${id} stays valid until ${shortTime(end)}, but signs no more`)
    else {
      kept.push(`key ${id} signs until ${shortTime(end)}`)
      from = end
    }
  }
  if (kept.length === 0)
    return print(`Callbacks and redirects are signed with key ${created.id} at once: the receivers need it now.`)
  print(
    `Callbacks and redirects: ${kept.join(', ')}, then key ${created.id}. Until then the receivers must accept both the old and the new.`,
  )
}

async function rotateRsa(options: StaffOptions): Promise<void> {
  const key = await withDatabase(async (context) => {
    const rotated = await runChange(context, rotateKeys, { rsa: true }, options)
    return 'rsa_key_id' in rotated ? rotated : undefined
  })
  if (!key) throw new Error('the key of a merchant was made instead')
  const { rsa_key_id: id, public_pem, created_at } = key
  if (options.json) return printJson({ id, public_pem, created_at, withdrawn_at: null, signs: true })
  print(
    `RSA key ${id} signs from now on; running servers know it within a second. Merchants find it by that id; the public keys before it stay available by theirs, until they are withdrawn.\n\n${public_pem.trim()}`,
  )
}

async function withdraw({ rsa: id, ...options }: StaffOptions & { readonly rsa: string }): Promise<void> {
  const { key, before } = await withDatabase(async (context) => {
    const { before } = await runChange(context, withdrawKey, { rsa_key_id: id }, options)
    return { key: (await listRsaKeys(context.pool)).find((one) => one.id === id), before }
  })
  if (options.json) return printJson({ ...key, signs: false })
  if (before) return print(`RSA key ${id} was withdrawn before: ${key?.withdrawn_at && shortTime(key.withdrawn_at)}.`)
  print(
    `RSA key ${id} is withdrawn, and its private half is destroyed. Running servers answer 410 for it within a second; receivers that keep a copy may use it for an hour longer, so notify your merchants. Pending callbacks are signed with the newest key.`,
  )
}
