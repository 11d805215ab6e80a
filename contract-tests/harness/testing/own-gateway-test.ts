import { createTestDatabase, type TestDatabase } from '../../../server/verification/testing/database.ts'
import { forFile } from '../../../server/verification/testing/for-file.ts'
import { startOwnGateway, type OwnGatewayOptions, type RunningOwnGateway } from '../own-gateway.ts'

/** A gateway for all tests of a file, as the parts get it, on a database of its own. */
export async function ownGatewayTest(
  options: Omit<OwnGatewayOptions, 'connection'> = {},
): Promise<{ readonly gateway: RunningOwnGateway; readonly connection: TestDatabase['connection'] }> {
  const { connection } = await forFile(createTestDatabase())
  return { gateway: await forFile(startOwnGateway({ connection, ...options })), connection }
}
