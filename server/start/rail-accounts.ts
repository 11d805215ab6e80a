import type { CallbackReading, Rail, ReceivedCallback } from '../actions/ports/rail.ts'
import type { Mode } from '../config.ts'
import type { Environment, Installation } from '../domain/rail-account.ts'
import type { TransactionType } from '../domain/provider.ts'
import { directionsOf } from '../rails/directions.ts'
import { SettingFault, type RailKind } from '../rails/rail-kind.ts'
import { safeReason } from '../safe-error.ts'
import type { LiveReferenceData } from '../storage/reference-data.ts'
import {
  connectInstallation,
  type ConnectedInstallation,
  type InstallationSurroundings,
} from './connect-rail-account.ts'
import type { Installations } from './rails-by-provider.ts'

/** How long calls of a changed connection may still run. */
const LINGER_MS = 60_000

/** After this time, a connection that could not be created (a file is missing, settings conflict) is tried again. */
const AGAIN_AFTER_MS = 5_000

export interface LiveInstallations extends Installations {
  /** @throws Error when the rail account exists and cannot be connected: the message waits */
  readCallback(installation: string, callback: ReceivedCallback): CallbackReading | undefined
  /** @returns undefined in the same cases as `rail` */
  connection(installation: string): ConnectedInstallation | undefined
  /** Why it cannot be connected now, for staff; undefined when no fault is known. */
  faultOf(installation: string): string | undefined
  close(): Promise<void>
}

/** Real money moves in live mode only. */
export const fits = (mode: Mode, { environment }: Installation): boolean =>
  (mode === 'live') === (environment === 'production')

/** Whether orders of this type may go to a rail account. */
export function takes(kinds: readonly RailKind[], mode: Mode, installation: Installation, type: TransactionType) {
  const kind = kinds.find(({ name }) => name === installation.rail)
  return fits(mode, installation) && kind !== undefined && directionsOf(kind, installation.settings).includes(type)
}

/** Follows the rail accounts that staff add, change and remove: each is connected when it is first needed. */
export function createInstallations(
  kinds: readonly RailKind[],
  mode: Mode,
  reference: Pick<LiveReferenceData, 'installations' | 'installationOf'>,
  around: InstallationSurroundings,
): LiveInstallations {
  const inUse = new Map<string, ConnectedInstallation>()
  const leaving = createLeaving(around.timers)
  const failed = new Map<string, Failure>()

  /** @returns undefined for one that cannot be connected; it is tried again after a while, or when it is changed */
  function connect(kind: RailKind, installation: Installation): ConnectedInstallation | undefined {
    const { name } = installation
    const nowMs = around.timers.elapsedMs()
    const last = failed.get(name)
    if (last && isSame(last.installation, installation) && nowMs < last.untilMs) return undefined
    try {
      const connected = connectInstallation(kind, installation, around)
      failed.delete(name)
      inUse.set(name, connected)
      return connected
    } catch (error) {
      failed.set(name, { installation, untilMs: nowMs + AGAIN_AFTER_MS, reason: reasonOf(error) })
      around.onFault(error, name)
      return undefined
    }
  }

  function find(name: string): ConnectedInstallation | undefined {
    const installation = reference.installations().get(name)
    const known = inUse.get(name)
    if (known && installation && isSame(known.installation, installation)) return known
    if (known) {
      inUse.delete(name)
      leaving.add(known)
    }
    const kind = kinds.find(({ name: kindName }) => kindName === installation?.rail)
    if (!installation || !kind || !fits(mode, installation)) return undefined
    return connect(kind, installation)
  }

  return {
    installationOf: reference.installationOf,
    rail: (name): Rail | undefined => find(name)?.rail,
    readCallback(name, callback) {
      const connection = find(name)
      // The message is the only copy: some operators report a result once.
      if (!connection && reference.installations().has(name)) throw new Error(`${name} cannot be connected now`)
      return connection?.adapter.readCallback(callback)
    },
    connection: find,
    faultOf(name) {
      const installation = reference.installations().get(name)
      return installation ? (misfitOf(kinds, mode, installation) ?? failed.get(name)?.reason) : 'it is removed'
    },
    async close() {
      await Promise.all([...inUse.values(), ...leaving.takeAll()].map((connection) => connection.close()))
    },
  }
}

/** Replaced or removed connections: each is closed after a grace period for its last calls. */
function createLeaving(timers: InstallationSurroundings['timers']) {
  const leaving = new Set<ConnectedInstallation>()
  return {
    add(connection: ConnectedInstallation): void {
      connection.leave()
      leaving.add(connection)
      timers.after(LINGER_MS, () => {
        if (leaving.delete(connection)) void connection.close()
      })
    },
    /** @returns those that are still open; the caller closes them */
    takeAll(): readonly ConnectedInstallation[] {
      const open = [...leaving]
      leaving.clear()
      return open
    },
  }
}

/** Why no connection is even tried; undefined when one is. */
function misfitOf(kinds: readonly RailKind[], mode: Mode, installation: Installation): string | undefined {
  if (!fits(mode, installation)) return MISFITS[installation.environment]
  if (!kinds.some(({ name }) => name === installation.rail)) return `this version knows no rail ${installation.rail}`
  return undefined
}

/** A connection that could not be created. */
interface Failure {
  readonly installation: Installation
  readonly untilMs: number
  readonly reason: string
}

/** The message of a SettingFault is shown to the account's owner. Other errors must not repeat their input. */
const reasonOf = (error: unknown): string => (error instanceof SettingFault ? error.message : safeReason(error))

const MISFITS: Readonly<Record<Environment, string>> = {
  production: 'it moves real money, and this mode is for tests',
  trial: 'it is for trials, and live mode takes none of those',
}

const isSame = (a: Installation, b: Installation): boolean => a.updatedAt.getTime() === b.updatedAt.getTime()
