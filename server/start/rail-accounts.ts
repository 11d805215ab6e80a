import type {
  AccountMessage,
  CallbackReading,
  Rail,
  ReceivedCallback,
  UnrequestedPayment,
} from '../actions/ports/rail.ts'
import type { Mode } from '../config.ts'
import type { Environment, RailAccount } from '../domain/rail-account.ts'
import type { TransactionType } from '../domain/provider.ts'
import { confirmPayment } from '../rails/confirm-payment.ts'
import { directionsOf } from '../rails/directions.ts'
import { SettingFault, type RailKind } from '../rails/rail-kind.ts'
import { safeReason } from '../safe-error.ts'
import type { LiveReferenceData } from '../storage/reference-data.ts'
import {
  connectRailAccount,
  faultOfConnecting,
  type ConnectedRailAccount,
  type RailAccountSurroundings,
} from './connect-rail-account.ts'
import type { RailAccounts } from './rails-by-provider.ts'

/** How long calls of a changed connection may still run. */
const LINGER_MS = 60_000

/** After this time, a connection that could not be created (a file is missing, settings conflict) is tried again. */
const AGAIN_AFTER_MS = 5_000

export interface LiveRailAccounts extends RailAccounts {
  /** @throws Error when the rail account exists and cannot be connected: the message waits */
  readCallback(railAccount: string, callback: ReceivedCallback): CallbackReading | undefined
  /** @throws Error as `readCallback` does */
  readMessage(railAccount: string, message: ReceivedCallback): AccountMessage | undefined
  /** @throws Error as `readCallback` does */
  confirmPayment(railAccount: string, claim: UnrequestedPayment): Promise<UnrequestedPayment | undefined>
  /** @returns undefined in the same cases as `rail` */
  connection(railAccount: string): ConnectedRailAccount | undefined
  /** Why an account with these settings could not be connected; it is not used. */
  faultOfSettings(kind: RailKind, railAccount: RailAccount): Promise<string | undefined>
  /** Why it cannot be connected now, for staff; undefined when no fault is known. */
  faultOf(railAccount: string): string | undefined
  close(): Promise<void>
}

/** Real money moves in live mode only. */
export const fits = (mode: Mode, { environment }: RailAccount): boolean =>
  (mode === 'live') === (environment === 'production')

/** Whether orders of this type may go to a rail account. */
export function takes(kinds: readonly RailKind[], mode: Mode, railAccount: RailAccount, type: TransactionType) {
  const kind = kinds.find(({ name }) => name === railAccount.rail)
  return fits(mode, railAccount) && kind !== undefined && directionsOf(kind, railAccount.settings).includes(type)
}

/** Follows the rail accounts that staff add, change and remove: each is connected when it is first needed. */
export function createRailAccounts(
  kinds: readonly RailKind[],
  mode: Mode,
  reference: Pick<LiveReferenceData, 'railAccounts' | 'railAccountOf'>,
  around: RailAccountSurroundings,
): LiveRailAccounts {
  const inUse = new Map<string, ConnectedRailAccount>()
  const retired = createRetired(around.timers)
  const failed = new Map<string, Failure>()

  /** @returns undefined for one that cannot be connected; it is tried again after a while, or when it is changed */
  function connect(kind: RailKind, railAccount: RailAccount): ConnectedRailAccount | undefined {
    const [{ name }, nowMs] = [railAccount, around.timers.elapsedMs()]
    const last = failed.get(name)
    if (last && isSame(last.railAccount, railAccount) && nowMs < last.untilMs) return undefined
    try {
      const connected = connectRailAccount(kind, railAccount, around)
      failed.delete(name)
      inUse.set(name, connected)
      return connected
    } catch (error) {
      failed.set(name, { railAccount, untilMs: nowMs + AGAIN_AFTER_MS, reason: reasonOf(error) })
      around.onFault(error, name)
      return undefined
    }
  }

  function find(name: string): ConnectedRailAccount | undefined {
    const railAccount = reference.railAccounts().get(name)
    const known = inUse.get(name)
    if (known && railAccount && isSame(known.railAccount, railAccount)) return known
    if (known) {
      inUse.delete(name)
      retired.add(known)
    }
    const kind = kinds.find(({ name: kindName }) => kindName === railAccount?.rail)
    if (!railAccount || !kind || !fits(mode, railAccount)) return undefined
    return connect(kind, railAccount)
  }

  return {
    railAccountOf: reference.railAccountOf,
    payoutTerms: termsOfPayouts(reference, find),
    rail: (name): Rail | undefined => find(name)?.rail,
    ...readersBy(find, (name) => reference.railAccounts().has(name), around.clock),
    connection: find,
    faultOfSettings: (kind, railAccount) => faultOfConnecting(kind, railAccount, around),
    faultOf(name) {
      const railAccount = reference.railAccounts().get(name)
      return railAccount ? (misfitOf(kinds, mode, railAccount) ?? failed.get(name)?.reason) : 'it is removed'
    },
    close: async () =>
      void (await Promise.all([...inUse.values(), ...retired.takeAll()].map((connection) => connection.close()))),
  }
}

const termsOfPayouts =
  (
    reference: Pick<LiveReferenceData, 'railAccounts' | 'railAccountOf'>,
    find: (name: string) => ConnectedRailAccount | undefined,
  ): Required<RailAccounts>['payoutTerms'] =>
  (providerCode) => {
    const name = reference.railAccountOf(providerCode)
    return name === undefined ? undefined : find(name)?.payoutTerms(reference.railAccounts().get(name)?.downSince)
  }

/** A message is the only copy, as some operators report once: it waits while its rail account cannot be connected. */
function readersBy(
  find: LiveRailAccounts['connection'],
  exists: (name: string) => boolean,
  clock: RailAccountSurroundings['clock'],
): Pick<LiveRailAccounts, 'readCallback' | 'readMessage' | 'confirmPayment'> {
  function reader(name: string): ConnectedRailAccount['adapter'] | undefined {
    const connection = find(name)
    if (!connection && exists(name)) throw new Error(`${name} cannot be connected now`)
    return connection?.adapter
  }
  return {
    readCallback: (name, callback) => reader(name)?.readCallback(callback),
    readMessage: (name, message) => reader(name)?.readMessage?.(message),
    async confirmPayment(name, claim) {
      const adapter = reader(name)
      return adapter && confirmPayment(adapter, claim, clock.now())
    },
  }
}

/** Replaced or removed connections: each is closed after a grace period for its last calls. */
function createRetired(timers: RailAccountSurroundings['timers']) {
  const retired = new Set<ConnectedRailAccount>()
  return {
    add(connection: ConnectedRailAccount): void {
      connection.retire()
      retired.add(connection)
      timers.after(LINGER_MS, () => {
        if (retired.delete(connection)) void connection.close()
      })
    },
    /** @returns those that are still open; the caller closes them */
    takeAll(): readonly ConnectedRailAccount[] {
      const open = [...retired]
      retired.clear()
      return open
    },
  }
}

/** Why no connection is even tried; undefined when one is. */
function misfitOf(kinds: readonly RailKind[], mode: Mode, railAccount: RailAccount): string | undefined {
  if (!fits(mode, railAccount)) return MISFITS[railAccount.environment]
  if (!kinds.some(({ name }) => name === railAccount.rail)) return `this version knows no rail ${railAccount.rail}`
  return undefined
}

/** A connection that could not be created. */
interface Failure {
  readonly railAccount: RailAccount
  readonly untilMs: number
  readonly reason: string
}

/** The message of a SettingFault is shown to the account's owner. Other errors must not repeat their input. */
const reasonOf = (error: unknown): string => (error instanceof SettingFault ? error.message : safeReason(error))

const MISFITS: Readonly<Record<Environment, string>> = {
  production: 'it moves real money, and this mode is for tests',
  trial: 'it is for trials, and live mode takes none of those',
}

const isSame = (a: RailAccount, b: RailAccount): boolean => a.updatedAt.getTime() === b.updatedAt.getTime()
