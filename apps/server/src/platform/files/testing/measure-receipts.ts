import { haveSameText } from '../picture-text.ts'
import { readPicture } from '../picture.ts'
import { isRefusal } from '../../refusal.ts'
import { KINDS, receipt, REPEATS, type Payment } from './receipts.ts'

export type Figures = {
  readonly receipts: number
  /** Pairs of different receipts of one layout, and how many of them are taken for one. */
  readonly pairs: number
  readonly falseAlarms: number
  /** Receipts that were sent again in some other form, and how many of them are found. */
  readonly repeats: number
  readonly found: number
  /** By what was done to them, how many were not found. */
  readonly missed: Readonly<Record<string, number>>
}

/** How well receipts are told apart, over so many receipts of each of the five layouts in light and in dark. */
export async function measureReceipts(perKind: number, kinds = KINDS): Promise<Figures> {
  const figures = {
    receipts: 0,
    pairs: 0,
    falseAlarms: 0,
    repeats: 0,
    found: 0,
    missed: {} as Record<string, number>,
  }
  for (const kind of kinds) {
    const stored: (readonly Piece[])[] = []
    for (let seed = 1; seed <= perKind; seed += 1) {
      const paid: Payment = { seed }
      const own = await textOf(await receipt(kind, paid).png().toBuffer())
      // Another payment of the same payer and amount on the same day, and all other receipts of this layout.
      const others = [await textOf(await receipt(kind, { seed, again: 1 }).png().toBuffer()), ...stored]
      figures.pairs += others.length
      figures.falseAlarms += others.filter((other) => haveSameText(own, other)).length
      for (const [what, repeat] of Object.entries(REPEATS)) {
        figures.repeats += 1
        if (haveSameText(own, await textOf(await repeat(kind, paid)))) figures.found += 1
        else figures.missed[what] = (figures.missed[what] ?? 0) + 1
      }
      figures.receipts += 1
      stored.push(own)
    }
  }
  return figures
}

type Piece = Awaited<ReturnType<typeof textOf>>[number]

/** As the server stores and describes it. */
async function textOf(bytes: Buffer) {
  const picture = await readPicture(bytes)
  if (isRefusal(picture)) throw new Error(picture.rejected)
  return picture.text
}
