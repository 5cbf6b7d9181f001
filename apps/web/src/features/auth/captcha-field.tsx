import { RefreshCw } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { controlClass, Field } from '@fairlot/ui/field.tsx'
import { IconButton } from '@fairlot/ui/icon-button.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { useCaptcha } from './queries.ts'

type CaptchaFieldProps = { value: string; problem: string | undefined; onChange: (text: string) => void }

/** Digits to be read from a picture. A new one comes for the asking. */
export function CaptchaField({ value, problem, onChange }: CaptchaFieldProps) {
  const t = useTranslations('auth')
  const { data, isError, isFetching, refetch } = useCaptcha(true)
  return (
    <Field
      label={t('captcha')}
      hint={t('captchaHint')}
      problem={problem ?? (isError && !isFetching ? t('captchaFailed') : undefined)}
    >
      {(ids) => (
        <span className="flex flex-wrap items-center gap-2">
          <input
            {...ids}
            name="captcha"
            inputMode="numeric"
            autoComplete="off"
            dir="ltr"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={`${controlClass} flex-[1_1_7rem] basis-28 tracking-widest`}
          />
          {data ? (
            <img src={data.image} alt={t('captchaPicture')} className="h-11 rounded-field bg-[white]" />
          ) : (
            <Skeleton shape="h-11 w-32" />
          )}
          <IconButton
            icon={RefreshCw}
            label={t('captchaNew')}
            disabled={isFetching}
            onClick={() => {
              onChange('')
              void refetch()
            }}
          />
        </span>
      )}
    </Field>
  )
}
