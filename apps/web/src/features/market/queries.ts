import { type Category, listCategories, listRecentCandles } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { answerOfPage, languageOfPage } from '../../live/first-data.ts'
import { currentLanguage } from '../../live/device/language.ts'
import { request } from '../../live/requests/request.ts'

const DAY_MS = 86_400_000
const CLOSES_STALE_MS = 5 * 60_000
const AT_ONCE = 4

/** Those that came with the page, in its language; React Query asks for newer ones in any other. */
const categoriesOfPage = (): readonly Category[] | undefined =>
  languageOfPage() === currentLanguage() ? answerOfPage('categories', listCategories.response) : undefined

/** The categories of instruments, named in the reader's language; undefined before the first answer. */
export const useCategories = (): readonly Category[] | undefined =>
  useQuery({
    queryKey: ['categories'],
    queryFn: ({ signal }) => request(listCategories, {}, { signal, isSilent: true }),
    staleTime: DAY_MS,
    initialData: categoriesOfPage,
  }).data

const inTurn = createBatch(AT_ONCE)

/** The closes of the last 60 bars of 15 minutes, fetched once wanted, a few instruments at a time. */
export const useRecentCloses = (instrumentId: number, isWanted: boolean): readonly number[] | undefined =>
  useQuery({
    queryKey: ['recentCloses', instrumentId],
    queryFn: ({ signal }) =>
      inTurn(async () => {
        const input = { instrumentId, period: '15min' } as const
        const candles = await request(listRecentCandles, input, { signal, isSilent: true })
        return candles.map(({ close }) => Number(close))
      }),
    enabled: isWanted,
    staleTime: CLOSES_STALE_MS,
  }).data

type Work = () => Promise<unknown>

/** Runs at most `atOnce` pieces of work together; the others wait for their turn, first come first served. */
export function createBatch(atOnce: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: Work[] = []
  let running = 0

  function next() {
    const work = running < atOnce ? waiting.shift() : undefined
    if (!work) return
    running += 1
    void work().finally(() => {
      running -= 1
      next()
    })
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push(() => work().then(resolve, reject))
      next()
    })
}
