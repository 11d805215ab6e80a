import type { CallbackReading, Rail, ReceivedCallback } from '../actions/ports/rail.ts'
import type { Mode } from '../config.ts'
import type { Installation } from '../domain/installation.ts'
import type { TransactionType } from '../domain/provider.ts'
import type { RailKind } from '../rails/rail-kind.ts'
import type { LiveReferenceData } from '../storage/reference-data.ts'
import {
  connectInstallation,
  type ConnectedInstallation,
  type InstallationSurroundings,
} from './connect-installation.ts'
import type { Installations } from './rails-by-provider.ts'

/** Calls of a connection that was changed may still be under way for so long. */
const LINGER_MS = 60_000

export interface LiveInstallations extends Installations {
  readCallback(installation: string, callback: ReceivedCallback): CallbackReading | undefined
  /** @returns undefined as `rail` does */
  connection(installation: string): ConnectedInstallation | undefined
  close(): Promise<void>
}

/** Real money moves in live mode and nowhere else. */
export const fits = (mode: Mode, { environment }: Installation): boolean =>
  (mode === 'live') === (environment === 'production')

/** Whether orders of this direction may go to an installation. */
export const takes = (kinds: readonly RailKind[], mode: Mode, installation: Installation, type: TransactionType) =>
  fits(mode, installation) && kinds.some(({ name, types }) => name === installation.rail && types.includes(type))

/** Follows what operators of the gateway add, change and remove: each is connected when it is first needed. */
export function createInstallations(
  kinds: readonly RailKind[],
  mode: Mode,
  reference: Pick<LiveReferenceData, 'installations' | 'installationOf'>,
  around: InstallationSurroundings,
): LiveInstallations {
  const inUse = new Map<string, ConnectedInstallation>()

  function find(name: string): ConnectedInstallation | undefined {
    const installation = reference.installations().get(name)
    const known = inUse.get(name)
    if (known && installation && isSame(known.installation, installation)) return known
    if (known) retire(known)
    const kind = kinds.find(({ name: kindName }) => kindName === installation?.rail)
    if (!installation || !kind || !fits(mode, installation)) return undefined
    try {
      const connected = connectInstallation(kind, installation, around)
      inUse.set(name, connected)
      return connected
    } catch (error) {
      around.onFault(error, name)
      return undefined
    }
  }

  function retire(connection: ConnectedInstallation): void {
    inUse.delete(connection.installation.name)
    connection.leave()
    around.timers.after(LINGER_MS, () => void connection.close())
  }

  return {
    installationOf: reference.installationOf,
    rail: (name): Rail | undefined => find(name)?.rail,
    readCallback: (name, callback) => find(name)?.adapter.readCallback(callback),
    connection: find,
    async close() {
      await Promise.all([...inUse.values()].map((connection) => connection.close()))
    },
  }
}

const isSame = (a: Installation, b: Installation): boolean => a.updatedAt.getTime() === b.updatedAt.getTime()
