import type { Queryable } from './pool.ts'

export type DatabaseMode = 'sandbox' | 'rehearsal' | 'live'

/** The database belongs to the other mode: a process that continued would mix simulated payments with real ones. */
export class WrongMode extends Error {
  readonly ofDatabase: DatabaseMode
  readonly ofProcess: DatabaseMode

  constructor(ofDatabase: DatabaseMode, ofProcess: DatabaseMode) {
    super(`the database is a ${ofDatabase} one, and this process runs in ${ofProcess} mode`)
    this.name = 'WrongMode'
    this.ofDatabase = ofDatabase
    this.ofProcess = ofProcess
  }
}

/** @returns undefined for a database that is not migrated far enough to have a mode: its migration sets it */
export async function databaseMode(database: Queryable): Promise<DatabaseMode | undefined> {
  const {
    rows: [table],
  } = await database.query<{ there: boolean }>(`select to_regclass('database_mode') is not null as there`)
  if (!table?.there) return undefined
  const {
    rows: [row],
  } = await database.query<{ mode: DatabaseMode }>('select mode from database_mode')
  if (!row) throw new Error('the table database_mode is empty: the database does not know its mode any more')
  return row.mode
}

/** @throws WrongMode when the database is known to have the other mode */
export async function refuseOtherMode(database: Queryable, mode: DatabaseMode): Promise<void> {
  const ofDatabase = await databaseMode(database)
  if (ofDatabase !== undefined && ofDatabase !== mode) throw new WrongMode(ofDatabase, mode)
}
