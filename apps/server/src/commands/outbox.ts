/** `npm run outbox`: prints the latest messages of the outbox, also where no mail server or SMS gateway is configured. */
import { openForReading } from '../platform/database/open.ts'
import { readEnvironment } from '../platform/config/config.ts'

const LATEST = 50

async function readLatest() {
  const config = readEnvironment()
  if ('problem' in config) throw new Error(config.problem)
  const database = await openForReading(config)
  try {
    const messages = database.queries.selectFrom('outbox').selectAll()
    return await messages.orderBy('created_at', 'desc').limit(LATEST).execute()
  } finally {
    await database.close()
  }
}

try {
  const rows = await readLatest()
  for (const row of rows.toReversed()) {
    const at = new Date(Number(row.created_at)).toISOString()
    console.log(`${at}  ${row.state}  ${row.channel} to ${row.recipient}  ${row.subject}`)
    if (row.body !== '') console.log(row.body.trim().replace(/^/gm, '    '))
    if (row.error !== null) console.log(`    ${row.error}`)
  }
  if (rows.length === 0) console.log('The outbox is empty.')
} catch (error) {
  console.error(`Cannot read the outbox: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
