import { termWords } from '@fairlot/contract'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useSay } from '../../../i18n/use-say.ts'
import { useBasicInfo } from '../../../live/account/account.ts'

/** What a field of terms is called, and its values, in the reader's language. */
export function useTermText() {
  const say = useSay()
  const { figures } = useLocale()
  const isFeeOfMargin = useBasicInfo()?.feeType !== 'fixed'
  return termWords({ say, decimal: (text) => figures.decimal(text), isFeeOfMargin })
}
