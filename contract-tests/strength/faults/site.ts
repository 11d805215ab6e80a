import pg from 'pg'
import { dropDatabase } from '../../../server/verification/testing/database.ts'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import type { ScratchDatabases } from '../../../server/verification/testing/scratch-databases.ts'
import { startOwnGateway } from '../../harness/own-gateway.ts'
import { present, type Target } from '../../harness/part.ts'
import { startProxy } from '../../harness/proxy.ts'
import { MERCHANT_MS_MAX } from '../../harness/targets.ts'
import { startByteProxy } from './byte-proxy.ts'
import type { FaultContext, Plant, TrafficPlant } from './fault.ts'
import { createTrouble, type FaultErrors } from './trouble.ts'
import { worldAround } from './world.ts'

export type Connection = Awaited<ReturnType<ScratchDatabases['create']>>

interface Site {
  readonly target: Target
  readonly trouble: FaultErrors['first']
  close(): Promise<void>
}

/** The gateway between two proxies that carry the fault: towards its clients, and towards the merchant. */
export async function openSite(
  connection: Connection,
  start: TrafficPlant['start'],
  { receives }: { readonly receives: boolean },
): Promise<Site> {
  const receiverPort = await freePort()
  const late: { gatewayUrl?: string; other?: ReturnType<NonNullable<FaultContext['other']>> } = {}
  const trouble = createTrouble()
  const around = worldAround(
    () => present(late.gatewayUrl, 'gateway yet'),
    receiverPort,
    () => late.other,
  )
  const plant: Plant = start({
    ...around,
    send: async (request) => trouble.noted(await around.send(request), request),
  })

  const merchant = await startProxy({
    to: `http://127.0.0.1:${receiverPort}`,
    // A merchant's server may answer as late as a part of the suite has it.
    timeoutMs: MERCHANT_MS_MAX,
    ...plant.merchant,
  })
  const gateway = await startOwnGateway({
    connection,
    ...(receives && { receiverPort: Number(new URL(merchant.url).port) }),
  })
  late.gatewayUrl = gateway.url
  late.other = gateway.other?.receiver
  const apiProxy = await startProxy({ to: gateway.url, ...trouble.watched(plant.api ?? {}) })
  const bytes = await startByteProxy(gateway.url, plant.bytes)
  return {
    target: {
      ...gateway,
      url: apiProxy.url,
      directUrl: bytes.url,
      ...(receives && {
        receiver: { port: receiverPort, signingKey: around.signingKey, webhookSecret: around.webhookSecret },
      }),
    },
    trouble: trouble.first,
    close: async () => {
      await Promise.all([apiProxy.close(), bytes.close()])
      await gateway.close()
      await merchant.close()
    },
  }
}

/** Hundreds of runs would fill the disk. */
export async function drop(connection: Connection): Promise<void> {
  const admin = new pg.Client({ ...connection, database: 'postgres' })
  await withClient(admin, () => dropDatabase(admin, connection.database))
}

async function withClient(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  await client.connect()
  try {
    await work()
  } finally {
    await client.end()
  }
}
