import { readSettings } from '../shop/settings.ts'
import { buildShop } from './shop.ts'

const settings = readSettings()
const app = await buildShop(settings)
await app.listen({ host: process.env.HOST ?? '127.0.0.1', port: Number(process.env.PORT ?? 3000) })
console.log(`The shop is open: ${settings.shopUrl}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close())
