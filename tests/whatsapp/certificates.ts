/**
 * The certificate chain a server shows during the Noise handshake: an intermediate signed by the root, and a leaf
 * that vouches for the server's static key, signed by the intermediate.
 */
import { proto } from 'baileys';
import { generateKeyPair, sign } from './crypto.ts';
import { testRoot } from './test-root.ts';

/** A flaw in a certificate chain; every one of these must be refused. */
export type CertificateFlaw = 'bad_intermediate_signature' | 'bad_leaf_signature' | 'other_issuer' | 'no_leaf';

const { NoiseCertificate } = proto.CertChain;
const rootSerial = 0;
const intermediateSerial = 3;
const leafSerial = 4;
const validity = { notBefore: 1_600_000_000, notAfter: 4_000_000_000 };

export function makeCertificateChain(serverStaticKey: Buffer, flaw?: CertificateFlaw): Buffer {
  const intermediate = generateKeyPair();
  const intermediateDetails = encodeDetails({
    serial: intermediateSerial,
    issuerSerial: flaw === 'other_issuer' ? rootSerial + 1 : rootSerial,
    key: intermediate.publicKey,
    ...validity,
  });
  const leafDetails = encodeDetails({
    serial: leafSerial,
    issuerSerial: intermediateSerial,
    key: serverStaticKey,
    ...validity,
  });
  const intermediateSignature = sign(testRoot.privateKey, intermediateDetails);
  const leafSignature = sign(intermediate.privateKey, leafDetails);
  if (flaw === 'bad_intermediate_signature') spoil(intermediateSignature);
  if (flaw === 'bad_leaf_signature') spoil(leafSignature);
  const chain: proto.ICertChain = { intermediate: { details: intermediateDetails, signature: intermediateSignature } };
  if (flaw !== 'no_leaf') chain.leaf = { details: leafDetails, signature: leafSignature };
  return Buffer.from(proto.CertChain.encode(chain).finish());
}

export function spoil(signature: Buffer): Buffer {
  signature.writeUInt8(signature.readUInt8(5) ^ 1, 5);
  return signature;
}

function encodeDetails(details: proto.CertChain.NoiseCertificate.IDetails): Buffer {
  return Buffer.from(NoiseCertificate.Details.encode(details).finish());
}
