/** A rail package that the process must not start with. */
export class RailPackageRefused extends Error {
  override readonly name = 'RailPackageRefused'
}
