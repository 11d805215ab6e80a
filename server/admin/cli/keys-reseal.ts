import { resealSecrets } from '../operations/keys.ts'
import { withDatabase } from './database.ts'
import { print, printJson } from './output.ts'
import { runChange } from './run-change.ts'
import type { StaffOptions } from './staff-action.ts'

/** `keys reseal` */
export async function resealAll(options: StaffOptions): Promise<void> {
  const resealed = await withDatabase((context) => runChange(context, resealSecrets, {}, options))
  if (options.json) return printJson(resealed)
  const { sealed_already: current, ...anew } = resealed
  if (Object.values(anew).every((count) => count === 0))
    return print(
      `Nothing to do: all ${counted(current, 'secret')} ${current === 1 ? 'is' : 'are'} sealed with this master key.`,
    )
  print(
    `Resealed: ${counted(anew.merchant_secrets, 'signing key and webhook secret', 'signing keys and webhook secrets')}, ${counted(anew.rsa_keys, 'RSA key')}, ${counted(anew.digest_keys, 'digest key')}${ofRails(anew)}; ${current} were sealed with this master key already.`,
  )
  print(
    'Now restart every server and worker with this MALIPO_MASTER_KEY. Until then they accept and pay as before, but cannot sign for a merchant whose key they have not cached, and see no change of providers or rates. After the last restart, run this once more, for what they stored in between.',
  )
}

interface RailCounts {
  readonly rail_settings: number
  readonly callback_keys: number
  readonly rail_callbacks: number
  readonly approval_inputs: number
}

/** Mentions rail secrets only where there are any. */
const ofRails = ({
  rail_settings: rails,
  callback_keys: keys,
  rail_callbacks: messages,
  approval_inputs: requests,
}: RailCounts): string =>
  `${rails > 0 ? `, ${counted(rails, 'rail')}` : ''}${keys > 0 ? `, ${counted(keys, 'key of addresses for operators', 'keys of addresses for operators')}` : ''}${messages > 0 ? `, ${counted(messages, "operator's message", "operators' messages")}` : ''}${requests > 0 ? `, ${counted(requests, 'request that waits', 'requests that wait')}` : ''}`

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
