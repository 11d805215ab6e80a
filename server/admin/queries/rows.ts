import { available, type Queryable } from '../../storage/pool.ts'

/** The rows that a query finds. @throws StorageUnavailable during an outage of the database */
export const rowsOf = <Row extends object>(
  pool: Queryable,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => available(async () => (await pool.query<Row>(text, [...values])).rows)

/** The first of them; undefined if there is none. */
export const firstRowOf = async <Row extends object>(
  pool: Queryable,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row | undefined> => (await rowsOf<Row>(pool, text, values))[0]
