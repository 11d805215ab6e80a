/** The database was changed by a newer version of Malipo in a way that this one cannot live with. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
  /** The migrations that this version does not know, those left out that it need not know. */
  readonly unknown: readonly string[]

  constructor(unknown: readonly string[]) {
    super(`the database was migrated by a newer version of Malipo (${unknown.join(', ')})`)
    this.unknown = unknown
  }
}
