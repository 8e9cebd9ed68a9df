#!/usr/bin/env python3
"""Writes einsum/data/values.json: contractions with what NumPy makes of them.

Operand k has elements (5 i + 11 k) mod 13 - 6, i the row-major index; the result is kept as its sum and its sum weighted
with (7 i + 3) mod 11, both exact integers. The expressions are those of the public tests of NumPy and opt_einsum.
Usage: tools/einsum_values.py > einsum/data/values.json
"""
import json

import numpy

EXTENTS = dict(zip("abcdefghijklmnopqrstuvwxyzA", [2, 3, 4, 3, 2, 4, 3, 2, 3, 2, 3, 2, 4, 2, 3, 2, 3, 2, 3, 4, 2, 3, 2, 3, 2, 3, 2]))
EXPRESSIONS = """
a,ab,abc->abc  a,b,ab->ab  ea,fb,gc,hd,abcd->efgh  ea,fb,abcd,gc,hd->efgh  abcd,ea,fb,gc,hd->efgh
acdf,jbje,gihb,hfac,gfac,gifabc,hfac  cd,bdhe,aidb,hgca,gc,hgibcd,hgac  abhe,hidj,jgba,hiab,gab
bde,cdh,agdb,hica,ibd,hgicd,hiac  chd,bde,agbc,hiad,hgc,hgi,hiad  chd,bde,agbc,hiad,bdi,cgh,agdb  bdhe,acad,hiab,agac,hibd
ab,ab,c->  ab,ab,c->c  ab,ab,cd,cd->  ab,ab,cd,cd->ac  ab,ab,cd,cd->cd  ab,ab,cd,cd,ef,ef->
ab,cd,ef->abcdef  ab,cd,ef->acdf  ab,cd,de->abcde  ab,cd,de->be  ab,bcd,cd->abcd  ab,bcd,cd->abd
eb,cb,fb->cef  dd,fb,be,cdb->cef  bca,cdb,dbf,afc->  dcc,fce,ea,dbf->ab  fdf,cdd,ccd,afe->ae  abcd,ad
ed,fcd,ff,bcf->be  baa,dcf,af,cde->be  bd,db,eac->ace  fff,fae,bef,def->abd  efc,dbc,acf,fd->abe
ab,ab  ab,ba  abc,abc  abc,bac  abc,cba  ab,bc  ab,cb  ba,bc  ba,cb  abcd,cd  abcd,ab  abcd,cdef  abcd,cdef->feba
abcd,efdc  aab,bc->ac  ab,bcc->ac  aab,bcc->ac  baa,bcc->ac  aab,ccb->ac  aab,fa,df,ecc->bde  ecb,fef,bad,ed->ac
bcf,bbb,fbf,fc->  bb,ff,be->e  bcb,bb,fc,fff->  fbb,dfd,fc,fc->  afd,ba,cc,dc->bf  adb,bc,fa,cfc->d  bbd,bda,fc,db->acf
dba,ead,cad->bce  aef,fbc,dca->bde
i->  i->i  ij->i  ij->j  ij->ji  ii  ii->i  iij->j  iij->i  ijj->i  iij->ij  iii->i  iijkk->j  i,i  i,i->i  i,j  ij,j  ij,j->ij
ij,ij->  ij,jk->ik  ij,jk->ki  ij,kj->ik  ijk,jil->kl  ijk,jil->lk  ij,jk,kl->il  ij,jk,kl,lm->im  a,b,c->abc  abc,bca->
ijb,jkb->ikb  bij,bjk->bik  b,b->b  bi,bi->b  bi,bj->bij  bij,bj->bi  abcdef,efgh->abcdgh  ,ab->ba  ,,->
ij,ij->ji  k,kij,kij->kj  kij,k->kij
""".split()
ELLIPSIS = [
    ("...ij,...jk->...ik", [(2, 3, 4), (4, 5)]), ("...ij,...jk->...ik", [(2, 1, 3, 4), (5, 4, 2)]),
    ("i...->...", [(3, 2, 4)]), ("i...->i...", [(3, 2, 4)]), ("...i->...", [(2, 4, 3)]), ("...ii->...i", [(2, 3, 3)]),
    ("...,...", [(2, 3), (3,)]), ("...,...", [(2, 1, 4), (3, 1)]), ("...i,...i->...", [(2, 1, 3), (4, 3)]),
    ("i...,j...->ij...", [(2, 3), (4, 3)]), ("ij...,jk...->ik...", [(2, 3, 4), (3, 2, 4)]), ("...a,a...->...", [(2, 3), (3, 2)]),
    ("a...b,b...->a...", [(2, 4, 3), (3, 4)]), ("...b,b...->...", [(2, 3), (3, 4, 2)]), ("->", [()]), ("...->...", [()]),
    ("ij,jk->ik", [(3, 0), (0, 5)]), ("ij->i", [(3, 0)]), ("ij,jk->ik", [(0, 3), (3, 5)]), ("i,i->", [(0,), (0,)]),
    ("ij,jk->ik", [(1, 1), (1, 1)]), ("a,ab,b->", [(1,), (1, 4), (4,)]),
]


def case(subscripts, shapes):
    operands = []
    for k, shape in enumerate(shapes):
        size = int(numpy.prod(shape, dtype=numpy.int64))
        operands.append(((5 * numpy.arange(size) + 11 * k) % 13 - 6).astype(numpy.int64).reshape(shape))
    result = numpy.einsum(subscripts, *operands, optimize=len(operands) > 2)
    flat = result.reshape(-1)
    weights = (7 * numpy.arange(flat.size) + 3) % 11
    return {"subscripts": subscripts, "shapes": [list(s) for s in shapes], "shape": list(result.shape),
            "sum": int(flat.sum()), "weighted": int((flat * weights).sum())}


def main():
    cases = [case(s, [tuple(EXTENTS[c] for c in term) for term in s.split("->")[0].split(",")]) for s in EXPRESSIONS]
    cases += [case(s, shapes) for s, shapes in ELLIPSIS]
    print("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]")


main()
