import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Profile } from '#contracts/profiles.ts';
import type { Project } from '#contracts/projects.ts';
import type { Segment } from '#contracts/segments.ts';

const createdAt = '2026-10-14T09:12:00.000Z';

export function samplePhone(changes: Partial<PhoneNumber> = {}): PhoneNumber {
  return {
    id: 7,
    project_id: 3,
    phone_number: '61491570006',
    name: 'Backup line',
    connector: 'whatsapp',
    priority: 0,
    max_daily_messages: 1000,
    is_active: true,
    is_connected: false,
    status: 'created',
    error: null,
    daily_message_count: 0,
    message_count: 0,
    last_used_at: null,
    connected_at: null,
    created_at: createdAt,
    ...changes,
  };
}

export function sampleProject(changes: Partial<Project> = {}): Project {
  return {
    id: 3,
    name: 'Larkspur Store',
    auth_key: 'dpa_test',
    webhook_url: null,
    webhook_secret: 'whsec_dGVzdA==',
    status: 'connected',
    is_connected: true,
    connected_at: createdAt,
    created_at: createdAt,
    ...changes,
  };
}

export function sampleProfile(changes: Partial<Profile> = {}): Profile {
  return {
    id: 5,
    phone: '46701740605',
    phone_given: '+46 70 174 06 05',
    country_code: 'SE',
    cc: '46',
    number: '701740605',
    phone_is_valid: true,
    name: 'Ada Lindqvist',
    email: 'ada@example.com',
    custom_fields: { plan: 'trial' },
    status: 'active',
    created_at: createdAt,
    updated_at: createdAt,
    ...changes,
  };
}

export function sampleSegment(changes: Partial<Segment> = {}): Segment {
  return {
    id: 9,
    name: 'Installed users',
    condition: { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' },
    served_by: 'index',
    created_at: createdAt,
    updated_at: createdAt,
    ...changes,
  };
}
