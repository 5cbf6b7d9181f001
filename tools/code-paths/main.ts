// `npm run code-paths`: writes the files of the server that run for an order, a price and a deposit, as counted by
// V8, into docs/architecture.md.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { reportWireDeposit, SOCKET, valueOf } from '@fairlot/contract'
import { finishDeposit } from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { addOperator, DESK_PASSWORD, enrolAdministrator } from '../../testing/on-desk.ts'
import { newPayer } from '../../testing/payer.ts'
import { openPayments } from '../../testing/payments.ts'
import { sendPicture } from '../../testing/picture.ts'
import { openPriceSource } from '../../testing/price-source.ts'
import { createServerProcess } from '../../testing/server-process.ts'
import { newTrader } from '../../testing/traders.ts'
import { until } from '../../testing/wait.ts'
import { ROOT, run } from '../check/run.ts'
import { type Coverage, openCoverage } from './coverage.ts'

const PAGE = 'docs/architecture.md'
const BEGIN = '<!-- npm run code-paths -->'
const END = '<!-- end -->'
/** Each span has this length, so that timers run alike in all of them. */
const SPAN_MS = 4_000
const QUIET_SPANS = 3

type Path = {
  readonly title: string
  /** Files that run only for it, in the order of their first entry. */
  readonly files: readonly string[]
  /** All files that run in its span. */
  readonly all: number
}

type Work = () => Promise<unknown>

/** Runs it three times: to warm up, to count, and to find the order. `before` runs in every span. */
async function pathOf(coverage: Coverage, title: string, work: Work, before?: Work): Promise<Path> {
  const spanOf = (inside?: Work) => async () => {
    const done = pause(SPAN_MS)
    await before?.()
    await inside?.()
    await done
  }
  const span = spanOf(work)
  await span()
  const quiet = new Set<string>()
  for (let times = 0; times < QUIET_SPANS; times += 1)
    for (const file of (await coverage.during(spanOf())).keys()) quiet.add(file)
  const counted = await coverage.during(span)
  const own = new Map([...counted].filter(([file]) => !quiet.has(file)))
  const entered = await coverage.order(own, span)
  // Files without a possible breakpoint are listed last.
  const rest = [...own.keys()].filter((file) => !entered.includes(file))
  return { title, files: [...entered, ...rest], all: counted.size }
}

async function measure(): Promise<readonly Path[]> {
  const source = await openPriceSource()
  const server = await createServerProcess({
    env: {
      FEED: source.url,
      MARKET_HOURS: 'always',
      DESK_PASSWORD,
      SETTING_FOUR_EYES_LIMIT: '1000000000',
      SETTING_FOUR_EYES_OPERATOR_LIMIT: '1000000000',
    },
  })
  try {
    server.start(['--inspect=127.0.0.1:0'])
    await server.started()
    const address = /ws:\/\/\S+/.exec(server.output())?.[0]
    if (address === undefined) throw new Error('The server did not say where its inspector listens.')
    const tick = (step: number) =>
      source.send(JSON.stringify({ symbol: 'EURUSD', bid: 1.1 + step / 1e5, ask: 1.1001 + step / 1e5 }))
    let step = 0
    const price = () => tick((step = (step + 1) % 10))
    await price()
    const trader = await newTrader(server)
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${SOCKET.path}`)
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    socket.send(JSON.stringify({ type: 'login', token: trader.token }))

    const second = await enrolAdministrator(server)
    const compliance = await addOperator(server, second, { name: 'Compliance', role: 'compliance' })
    const finance = await addOperator(server, second, {
      name: 'Finance',
      role: 'finance',
      second: compliance,
    })
    await openPayments(finance, second)
    const payer = await newPayer(server.url, 'payer@example.com', (email) =>
      codeSentTo(server.dataDir, email),
    )
    let pictures = 0
    const deposit = async () => {
      const proof = await sendPicture(server.url, payer.token, (pictures += 1))
      const { id } = valueOf(
        await payer.client.call(reportWireDeposit, {
          amount: money(100_000_000n),
          proof,
          wireId: 1,
          reference: '',
        }),
      )
      const credit = { id, amount: 10_000_000_000n, arrivedAt: null, reason: 'it arrived' }
      await finance.request(finishDeposit, credit as never)
    }

    const coverage = await openCoverage(address)
    const paths = [
      await pathOf(coverage, 'A market order', () => trader.order(), price),
      await pathOf(coverage, 'A price', price),
      await pathOf(coverage, 'A deposit, from the report to the credit', deposit),
    ]
    coverage.close()
    socket.close()
    return paths
  } finally {
    await server.stop()
    source.close()
  }
}

/** The code sent by mail: without a mail server it stays in the outbox. */
const codeSentTo = (dataDir: string, email: string): Promise<string> =>
  until(`a code for ${email}`, 10_000, async () => {
    const name = readdirSync(dataDir).find((file) => file.endsWith('.db') || file.endsWith('.sqlite'))
    if (name === undefined || !existsSync(join(dataDir, name))) return null
    const database = new DatabaseSync(join(dataDir, name), { readOnly: true })
    const row = database.prepare('select body from outbox where recipient = ?').get(email)
    database.close()
    return /\b\d{6}\b/.exec(String(row?.['body']))?.[0] ?? null
  })

const PARTS = ['apps/server/', 'packages/core/', 'packages/contract/']

/** `44 server, 20 core, 6 contract` */
const partsOf = ({ files }: Path): string =>
  PARTS.map((part) => {
    const name = part.split('/')[1] ?? ''
    return `${files.filter((file) => file.startsWith(part)).length} ${name}`
  }).join(', ')

/** The architecture rule "code-paths" reads this heading. */
const sectionOf = (path: Path): string =>
  `### ${path.title}: ${path.files.length} files\n\n${partsOf(path)}; ${path.all} files run in that span.\n\n${listOf(path.files)}`

function write(paths: readonly Path[]): void {
  const page = readFileSync(join(ROOT, PAGE), 'utf8')
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for the paths.`)
  writeFileSync(
    join(ROOT, PAGE),
    [before, BEGIN, '\n\n', paths.map(sectionOf).join('\n\n'), '\n\n', END, after].join(''),
  )
}

/** Adjacent files of one folder share a line. */
function listOf(files: readonly string[]): string {
  const lines: { folder: string; names: string[] }[] = []
  for (const file of files) {
    const cut = file.lastIndexOf('/') + 1
    const [folder, name] = [file.slice(0, cut), file.slice(cut)]
    const line = lines.at(-1)
    if (line?.folder === folder) line.names.push(name)
    else lines.push({ folder, names: [name] })
  }
  return lines
    .map(
      ({ folder, names }, index) =>
        `${index + 1}. \`${folder}\`: ${names.map((name) => `\`${name}\``).join(', ')}`,
    )
    .join('\n')
}

const paths = await measure()
write(paths)
await run('oxfmt', [PAGE])
for (const path of paths) console.log(sectionOf(path), '\n')
