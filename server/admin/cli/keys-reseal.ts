import type { AuditedPool } from '../../storage/audited-pool.ts'
import { NeitherKeyOpens, reseal, type ResealCounts } from '../../storage/reseal.ts'
import { WrongMasterKey } from '../../storage/secret-box.ts'
import { secretBoxes, withDatabase } from './database.ts'
import { CliError } from './errors.ts'
import { print, printJson } from './output.ts'
import { addition, shownValues, staffAction, type StaffOptions } from './staff-action.ts'

/** `keys reseal` */
export async function resealAll(options: StaffOptions): Promise<void> {
  const resealed = await withDatabase(async (context) => {
    const { box, former } = await secretBoxes(context)
    const resealAnew = (pool: AuditedPool) =>
      reseal(pool, box, former).catch((error: unknown) => neitherKey(error, former !== undefined))
    return staffAction(
      context,
      { command: 'keys reseal', subject: 'master key' },
      options,
      addition(resealAnew, (counts) => shownValues(anewOf(counts))),
    )
  })
  if (options.json) return printJson(recordOf(resealed))
  const { current, ...anew } = resealed
  if (Object.values(anew).every((count) => count === 0))
    return print(
      `Nothing to do: all ${counted(current, 'secret')} ${current === 1 ? 'is' : 'are'} sealed with this master key.`,
    )
  print(
    `Resealed: ${counted(anew.merchantSecrets, 'signing key and webhook secret', 'signing keys and webhook secrets')}, ${counted(anew.rsaKeys, 'RSA key')}, ${counted(anew.digestKeys, 'digest key')}${ofRails(anew)}; ${current} were sealed with this master key already.`,
  )
  print(
    'Now restart every server and worker with this MALIPO_MASTER_KEY. Until then they accept and pay as before, but cannot sign for a merchant whose key they have not cached, and see no change of providers or rates.',
  )
}

/** How many secrets no longer use the previous key. */
const anewOf = ({ current: _current, ...anew }: ResealCounts) =>
  Object.fromEntries(
    Object.entries(recordOf({ ...anew, current: 0 }))
      .filter(([, count]) => count > 0)
      .map(([name, count]) => [`${name.replaceAll('_', ' ')} resealed`, count]),
  )

/** Mentions rail secrets only where there are any. */
const ofRails = ({ railSettings, callbackKeys, railCallbacks }: Omit<ResealCounts, 'current'>): string =>
  `${railSettings > 0 ? `, ${counted(railSettings, 'rail')}` : ''}${callbackKeys > 0 ? `, ${counted(callbackKeys, 'key of addresses for operators', 'keys of addresses for operators')}` : ''}${railCallbacks > 0 ? `, ${counted(railCallbacks, "operator's message", "operators' messages")}` : ''}`

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

const recordOf = ({
  merchantSecrets,
  rsaKeys,
  digestKeys,
  railSettings,
  callbackKeys,
  railCallbacks,
  current,
}: ResealCounts) => ({
  merchant_secrets: merchantSecrets,
  rsa_keys: rsaKeys,
  digest_keys: digestKeys,
  rail_settings: railSettings,
  callback_keys: callbackKeys,
  rail_callbacks: railCallbacks,
  sealed_already: current,
})

function neitherKey(error: unknown, formerGiven: boolean): never {
  if (error instanceof NeitherKeyOpens)
    throw new CliError(
      `malipo: ${error.message}: MALIPO_MASTER_KEY_OLD must be the key that this database was written with.\nNothing was changed.`,
    )
  if (error instanceof WrongMasterKey && !formerGiven) {
    throw new CliError(
      'malipo: MALIPO_MASTER_KEY is not the key that this database was written with, and no other key was given.\nSet MALIPO_MASTER_KEY_OLD to that one. Nothing was changed.',
    )
  }
  throw error
}
