import type { RailKind } from '../../rails/rail-kind.ts'
import { RAIL_KINDS, railKind } from '../../rails/registry.ts'
import { listInstallations, type InstallationView } from '../queries/rail-accounts.ts'
import { MALIPO } from './called-as.ts'
import type { Context } from './database.ts'
import { notFound, usedWrongly } from './errors.ts'

/** All kinds of rails, for help and messages. */
export const KINDS = RAIL_KINDS.map(({ name }) => name).join(', ')

/** @throws CliError when there is none, or this version does not know its kind */
export async function installationNamed(
  { pool }: Context,
  name: string,
): Promise<{ installation: InstallationView; kind: RailKind }> {
  const [installation] = await listInstallations(pool, name)
  if (!installation) throw notFound(`malipo: there is no rail installation ${name}.\nSee them all: ${MALIPO} rail list`)
  return { installation, kind: kindNamed(installation.rail) }
}

/** @throws CliError that names the known kinds */
export function kindNamed(name: string): RailKind {
  const kind = railKind(name)
  if (!kind) throw usedWrongly(`malipo: there is no kind of rail ${name}: there are ${KINDS}`)
  return kind
}
