// Reads one picture of the given kind in a process of its own, and prints how much memory that took.
import { execFileSync } from 'node:child_process'
import { isRefusal } from '../../refusal.ts'
import { readPicture } from '../picture.ts'
import { rendered } from './pictures.ts'

const MAKERS = {
  photograph: () => rendered(16_320, 12_240).jpeg({ quality: 40 }),
  turned: () => rendered(16_320, 12_240).withMetadata({ orientation: 6 }).jpeg({ quality: 40 }),
  progressive: () => rendered(8_160, 6_144).jpeg({ quality: 40, progressive: true }),
  png: () => rendered(10_000, 7_000).png(),
  bomb: () => rendered(16_320, 12_240).jpeg({ quality: 40, progressive: true }),
} as const

const [kind, step] = process.argv.slice(2) as [keyof typeof MAKERS, string | undefined]

// Making the picture needs more memory than reading it.
if (step === 'make') process.stdout.write(await MAKERS[kind]().toBuffer())
else {
  const original = execFileSync(process.execPath, [import.meta.filename, kind, 'make'], {
    maxBuffer: 64 * 1024 * 1024,
  })
  const before = process.resourceUsage().maxRSS
  const picture = await readPicture(original)
  const result = isRefusal(picture) ? picture.rejected : 'kept'
  console.log(JSON.stringify({ mb: Math.round((process.resourceUsage().maxRSS - before) / 1024), result }))
}
