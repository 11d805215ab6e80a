import type { RailKind } from '../rails/rail-kind.ts'
import { RAIL_KINDS, railKind } from '../rails/registry.ts'
import { listInstallations, type InstallationView } from '../storage/operators/rail-installations.ts'
import { MALIPO } from './called-as.ts'
import type { Context } from './database.ts'
import { notFound, usedWrongly } from './errors.ts'

/** All kinds of rails, for help and messages. */
export const KINDS = RAIL_KINDS.map(({ name }) => name).join(', ')

/** @throws CliError when there is none, or its kind is not known to this version */
export async function installationNamed(
  { pool }: Context,
  name: string,
): Promise<{ installation: InstallationView; kind: RailKind }> {
  const [installation] = await listInstallations(pool, name)
  if (!installation) throw notFound(`malipo: there is no rail installation ${name}.\nSee them all: ${MALIPO} rail list`)
  return { installation, kind: kindNamed(installation.rail) }
}

/** @throws CliError naming those that there are */
export function kindNamed(name: string): RailKind {
  const kind = railKind(name)
  if (!kind) throw usedWrongly(`malipo: there is no kind of rail ${name}: there are ${KINDS}`)
  return kind
}
