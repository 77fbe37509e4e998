import { z } from 'zod';

/** The answer of a call that only confirms that it was carried out. */
export const SuccessAnswer = z.object({ success: z.literal(true) });

/** A message that was accepted, which promises nothing more. */
export const SendAnswer = z.object({ messages: z.tuple([z.object({ id: z.string().min(1) })]).rest(z.unknown()) });

/** Fields of a number, all of which may be missing. */
export const NumberAnswer = z.object({
  id: z.string(),
  display_phone_number: z.string().catch(''),
  verified_name: z.string().optional().catch(undefined),
  quality_rating: z.string().optional().catch(undefined),
  code_verification_status: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
  platform_type: z.string().optional().catch(undefined),
  is_on_biz_app: z.boolean().optional().catch(undefined),
  throughput: z.object({ level: z.string() }).optional().catch(undefined),
  whatsapp_business_manager_messaging_limit: z.string().optional().catch(undefined),
  health_status: z
    .object({
      can_send_message: z.string(),
      entities: z
        .array(
          z.object({
            entity_type: z.string(),
            can_send_message: z.string(),
            errors: z
              .array(
                z.object({
                  error_code: z.coerce.number().catch(0),
                  error_description: z.string().catch(''),
                  possible_solution: z.string().catch(''),
                }),
              )
              .optional()
              .catch(undefined),
          }),
        )
        .catch([]),
    })
    .optional()
    .catch(undefined),
});
export type NumberAnswer = z.infer<typeof NumberAnswer>;

export const numberFields = Object.keys(NumberAnswer.shape).join(',');

export const TokenAnswer = z.object({
  data: z.object({
    is_valid: z.boolean().catch(false),
    expires_at: z.number().catch(0),
    scopes: z.array(z.string()).catch([]),
    app_id: z.coerce.string().optional().catch(undefined),
    /** The business accounts that a permission is of: the newest come first. */
    granular_scopes: z
      .array(z.object({ scope: z.string(), target_ids: z.array(z.coerce.string()).catch([]) }))
      .catch([]),
  }),
});

export const SubscribedApps = z.object({ data: z.array(z.unknown()) });

/** The numbers of a business account, each with the fields that Graph gives unasked. */
export const NumbersAnswer = z.object({
  data: z.array(
    z.object({
      id: z.coerce.string(),
      display_phone_number: z.string().catch(''),
      /** In seconds, or written out. */
      last_onboarded_time: z.coerce.string().optional().catch(undefined),
    }),
  ),
});

/** A token of a business that signed up. */
export const ExchangedToken = z.object({ access_token: z.string().min(1) });
